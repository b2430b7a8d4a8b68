import { describe, expect, it } from 'vitest';
import { statsFirstPageSchema } from '#shared/marketplace/contract.ts';
import { aListing, minuteMs, openMarket, walk } from './support/market.ts';

const path = '/v1/events/1/stats';

/** Snapshots at 12:00, 12:01 and 12:02 with get-ins 100, 90 and 80. */
function marketWithSnapshots() {
  const market = openMarket();
  for (const price of [100, 90, 80]) {
    market.list([aListing(1, { price })]);
    market.pass(minuteMs);
  }
  return market;
}

interface Snapshot {
  timestamp: string;
  get_in: number;
}

describe('GET /v1/events/{event_id}/stats', () => {
  it('computes every field of the snapshot and of its zones', async () => {
    const market = openMarket();
    market.list([
      aListing(1, { zone: 'Upper', price: 40, quantity: 1 }),
      aListing(2, { zone: 'Upper', price: 50.5, quantity: 3 }),
      aListing(3, { zone: 'Club', price: 200.25, quantity: 2 }),
      aListing(4, { zone: 'Club', price: 90, quantity: 2 }),
    ]);
    market.pass(minuteMs);
    market.sell({ listing_id: 4 });
    market.list([
      aListing(1, { zone: 'Upper', price: 40, quantity: 1 }),
      aListing(2, { zone: 'Upper', price: 50.5, quantity: 3 }),
      aListing(3, { zone: 'Club', price: 200.25, quantity: 2 }),
    ]);
    const { json } = await market.get(path);
    expect(statsFirstPageSchema.safeParse(json).error).toBeUndefined();
    expect(json).toMatchObject({ event_id: 1, available_zones: ['Club', 'Upper'], total_count: 2 });
    expect(json.data[1]).toEqual({
      timestamp: '2026-11-27T12:01:00.000Z',
      total_listings_all: 4,
      total_listings_active: 3,
      listing_fill_rate: 0.25,
      avg_price: 96.92,
      median_price: 50.5,
      get_in: 40,
      get_in_qty2plus: 50.5,
      zones: [
        {
          zone_name: 'Club',
          avg_price: 200.25,
          median_price: 200.25,
          get_in: 200.25,
          get_in_qty2plus: 200.25,
        },
        {
          zone_name: 'Upper',
          avg_price: 45.25,
          median_price: 45.25,
          get_in: 40,
          get_in_qty2plus: 50.5,
        },
      ],
    });
  });

  it('an empty market has no zones and prices of 0', async () => {
    const market = openMarket();
    market.list([aListing(1)]);
    market.pass(minuteMs);
    market.list([]);
    const { json } = await market.get(path);
    expect(json.data[1]).toMatchObject({
      total_listings_active: 0,
      get_in: 0,
      avg_price: 0,
      zones: [],
    });
  });

  it('available_zones are those of all snapshots, also ones outside the page', async () => {
    const market = openMarket();
    market.list([aListing(1, { zone: 'Club' })]);
    market.pass(minuteMs);
    market.list([aListing(2, { zone: 'Upper' })]);
    const { json } = await market.get(`${path}?start_date=2026-11-27T12:00:30Z`);
    expect(json.available_zones).toEqual(['Club', 'Upper']);
    expect(json.data).toHaveLength(1);
  });

  it('is oldest first over all pages', async () => {
    const pages = await walk(marketWithSnapshots(), `${path}?limit=2`);
    const prices = pages.flatMap((page) => page.data.map((snapshot: Snapshot) => snapshot.get_in));
    expect(prices).toEqual([100, 90, 80]);
  });

  it.each([
    ['start_date is exclusive', 'start_date=2026-11-27T12:00:00Z', [90, 80]],
    ['end_date is exclusive', 'end_date=2026-11-27T12:02:00Z', [100, 90]],
    ['both', 'start_date=2026-11-27T12:00:00Z&end_date=2026-11-27T12:02:00Z', [90]],
    ['a date is its midnight', 'start_date=2026-11-27', [100, 90, 80]],
    ['a date is its midnight', 'end_date=2026-11-27', []],
    ['a datetime with an offset', 'start_date=2026-11-27T13:00:00%2B01:00', [90, 80]],
    ['a datetime without a zone is UTC', 'start_date=2026-11-27T12:00:00', [90, 80]],
    ['fractions of a second', 'start_date=2026-11-27T12:01:00.001Z', [80]],
  ])('%s: %s', async (_, query, prices) => {
    const { json } = await marketWithSnapshots().get(`${path}?${query}`);
    expect(json.data.map((snapshot: Snapshot) => snapshot.get_in)).toEqual(prices);
    expect(json.total_count).toBe(prices.length);
  });

  it.each(['start_date=yesterday', 'end_date=2026-13-01', 'start_date=', 'start_date=1795780860'])(
    '%s is invalid_param',
    async (query) => {
      expect(await marketWithSnapshots().get(`${path}?${query}`)).toMatchObject({
        status: 400,
        json: { error: { code: 'invalid_param', param: query.split('=')[0] } },
      });
    },
  );

  it('an unknown event is event_not_found', async () => {
    expect(await openMarket().get('/v1/events/999/stats')).toMatchObject({
      status: 404,
      json: { error: { type: 'not_found', code: 'event_not_found' } },
    });
  });
});

describe('Stats billing table', () => {
  it('first request for an event, no cursor, snapshots exist: 1 pull', async () => {
    const market = marketWithSnapshots();
    await market.get(path, market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it('continuation page: not charged', async () => {
    const market = marketWithSnapshots();
    await walk(market, `${path}?limit=1`, market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it('repeat first-page request with no new snapshot since the last paid pull: not charged', async () => {
    const market = marketWithSnapshots();
    await market.get(path, market.keys.lowBalance);
    await market.get(`${path}?limit=1`, market.keys.lowBalance);
    await market.get(`${path}?start_date=2026-11-27T12:01:00Z`, market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it('repeat first-page request after a new snapshot was logged: 1 pull', async () => {
    const market = marketWithSnapshots();
    await market.get(path, market.keys.lowBalance);
    market.list([aListing(1)]);
    await market.get(path, market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(3);
  });

  it('event has no snapshots yet: not charged', async () => {
    const market = openMarket();
    const { json } = await market.get(path, market.keys.lowBalance);
    expect(json).toMatchObject({ data: [], total_count: 0, available_zones: [] });
    expect(market.balance('lowBalance')).toBe(5);
  });

  it('an answer without a snapshot is never charged and marks nothing as paid', async () => {
    const market = marketWithSnapshots();
    await market.get(`${path}?start_date=2026-11-28`, market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(5);
    await market.get(path, market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it('one pull pays for every snapshot since the last paid one', async () => {
    const market = marketWithSnapshots();
    await market.get(path, market.keys.lowBalance);
    for (let i = 0; i < 5; i += 1) {
      market.pass(minuteMs);
      market.list([aListing(1, { price: 70 - i })]);
    }
    const since = `${path}?start_date=2026-11-27T12:02:00Z`;
    expect((await market.get(since, market.keys.lowBalance)).json.data).toHaveLength(5);
    expect(market.balance('lowBalance')).toBe(3);
  });
});
