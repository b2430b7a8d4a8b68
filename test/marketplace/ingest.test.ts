import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchSeats } from '#marketplace/ingest/seat-matching.ts';
import { computeSnapshot } from '#marketplace/ingest/snapshot.ts';
import { aListing, anEvent, minuteMs, openMarket } from './support/market.ts';

describe('ingest', () => {
  it('logs one stats snapshot per sh refresh and none for vs', () => {
    const market = openMarket();
    expect(market.list([aListing(1)]).snapshots).toBe(1);
    expect(market.list([aListing('a')], { source: 'vs' }).snapshots).toBe(0);
    market.pass(minuteMs);
    expect(market.list([]).snapshots).toBe(1);
  });

  it('a redelivered or older set changes nothing', async () => {
    const market = openMarket();
    const set = { listings: [aListing(1)], observed_at: '2026-11-27T12:00:00Z' };
    expect(market.ingest.accept({ listing_sets: [{ event_id: 1, ...set }] }).snapshots).toBe(1);
    expect(market.ingest.accept({ listing_sets: [{ event_id: 1, ...set }] })).toMatchObject({
      snapshots: 0,
      ignored: 1,
    });
    const older = { event_id: 1, listings: [], observed_at: '2026-11-27T11:00:00Z' };
    expect(market.ingest.accept({ listing_sets: [older] }).ignored).toBe(1);
    expect((await market.get('/v1/events/1/listings')).json.data[0].active).toBe(true);
  });

  it('two sets without a time in the same instant are two refreshes, in order', async () => {
    const market = openMarket();
    market.list([aListing(1, { price: 90 })]);
    market.list([aListing(1, { price: 80 })]);
    const { json } = await market.get('/v1/events/1/stats');
    expect(json.data.map((snapshot: { get_in: number }) => snapshot.get_in)).toEqual([90, 80]);
  });

  it('applies a delivery in time order, so a sale before a set finds its listing', async () => {
    const market = openMarket();
    market.ingest.accept({
      events: [anEvent(2)],
      sales: [{ event_id: 2, listing_id: 1, sold_at: '2026-11-27T12:00:30Z' }],
      listing_sets: [
        { event_id: 2, observed_at: '2026-11-27T12:01:00Z', listings: [] },
        {
          event_id: 2,
          observed_at: '2026-11-27T12:00:00Z',
          listings: [aListing(1, { price: 70 })],
        },
      ],
    });
    expect((await market.get('/v1/events/2/sales')).json.data).toMatchObject([
      { price: 70, quantity: 2 },
    ]);
    expect((await market.get('/v1/events/2/stats')).json.data[1].listing_fill_rate).toBe(1);
  });

  it.each([
    [
      'an unknown event',
      { listing_sets: [{ event_id: 99, listings: [] }] },
      'listing_sets.0.event_id: no event 99',
    ],
    [
      'an unknown event of a sale',
      { sales: [{ event_id: 99, listing_id: 1 }] },
      'sales.0.event_id: no event 99',
    ],
    [
      'three decimals',
      { listing_sets: [{ event_id: 1, listings: [aListing(1, { price: 1.005 })] }] },
      'listing_sets.0.listings.0.price: at most two decimals',
    ],
    [
      'a negative price',
      { listing_sets: [{ event_id: 1, listings: [aListing(1, { price: -1 })] }] },
      'listing_sets.0.listings.0.price',
    ],
    [
      'a quantity of 0',
      { listing_sets: [{ event_id: 1, listings: [aListing(1, { quantity: 0 })] }] },
      'listing_sets.0.listings.0.quantity',
    ],
    [
      'a text id of sh',
      { listing_sets: [{ event_id: 1, listings: [aListing('a')] }] },
      'listing_sets.0.listings.0.listing_id: ids of sh listings are integers',
    ],
    [
      'a time without its zone',
      { listing_sets: [{ event_id: 1, observed_at: '2026-11-27T12:00:00', listings: [] }] },
      'listing_sets.0.observed_at',
    ],
    [
      'an id that is taken',
      { events: [anEvent(2, { sh_event_id: 159_000_001 })] },
      'event 2: sh_event_id 159000001',
    ],
    ['no object', 5, 'body'],
  ])(
    'refuses %s, names the field, and discards the whole delivery',
    async (_, observations, message) => {
      const market = openMarket();
      const delivery =
        typeof observations === 'number'
          ? observations
          : {
              ...observations,
              events: [...('events' in observations ? observations.events : []), anEvent(50)],
            };
      const reply = await market.post('/operator/observations', delivery, market.keys.operator);
      expect(reply.status).toBe(400);
      expect(reply.json.error.message).toContain(message);
      expect((await market.get('/v1/events/50/stats')).status).toBe(404);
    },
  );

  it('the operator route accepts the same shape and returns the counts', async () => {
    const market = openMarket();
    const body = {
      events: [anEvent(2), anEvent(1)],
      listing_sets: [{ event_id: 2, listings: [aListing(1)] }],
    };
    const { json } = await market.post('/operator/observations', body, market.keys.operator);
    expect(json).toEqual({
      eventsAdded: 1,
      eventsUpdated: 1,
      snapshots: 1,
      sales: 0,
      salesInferred: 0,
      ignored: 0,
    });
  });

  it('fill rate counts a listing sold only when it is gone, and not one that came back', async () => {
    const market = openMarket();
    market.list([aListing(1, { quantity: 4 }), aListing(2)]);
    market.pass(minuteMs);
    market.sell({ listing_id: 1, quantity: 2 });
    market.list([aListing(1, { quantity: 2 }), aListing(2)]);
    market.pass(minuteMs);
    market.sell({ listing_id: 2 });
    market.list([]);
    market.pass(minuteMs);
    market.list([aListing(2)]);
    const { json } = await market.get('/v1/events/1/stats');
    const rates = json.data.map(
      (snapshot: { listing_fill_rate: number }) => snapshot.listing_fill_rate,
    );
    expect(rates).toEqual([0, 0, 0.5, 0]);
  });
});

describe('computeSnapshot', () => {
  const listing = fc.record({
    zone: fc.constantFrom('A', 'B', 'C'),
    quantity: fc.integer({ min: 1, max: 5 }),
    priceCents: fc.integer({ min: 1, max: 1_000_000 }),
  });

  it('agrees with a simple implementation of its definition', () => {
    fc.assert(
      fc.property(fc.array(listing, { minLength: 1, maxLength: 40 }), (active) => {
        const snapshot = computeSnapshot({ at: 0, active, everListed: 50, sold: 7 });
        const prices = active.map(({ priceCents }) => priceCents).sort((a, b) => a - b);
        const pairs = active
          .filter(({ quantity }) => quantity >= 2)
          .map(({ priceCents }) => priceCents);
        const middle = prices.length / 2;
        const median =
          prices.length % 2 === 1
            ? prices[Math.floor(middle)]
            : Math.round(((prices[middle - 1] ?? 0) + (prices[middle] ?? 0)) / 2);
        expect(snapshot.get_in).toBe((prices[0] ?? 0) / 100);
        expect(snapshot.get_in_qty2plus).toBe(pairs.length === 0 ? 0 : Math.min(...pairs) / 100);
        expect(snapshot.median_price).toBe((median ?? 0) / 100);
        expect(snapshot.avg_price).toBe(
          Math.round(prices.reduce((a, b) => a + b, 0) / prices.length) / 100,
        );
        expect(snapshot.zones.map(({ zone_name }) => zone_name)).toEqual(
          [...new Set(active.map(({ zone }) => zone))].sort(),
        );
        expect(Math.min(...snapshot.zones.map(({ get_in }) => get_in ?? 0))).toBe(snapshot.get_in);
      }),
    );
  });
});

describe('matchSeats', () => {
  const known = [
    { zone: 'Lower Bowl', section: '101' },
    { zone: 'Club', section: '201' },
    { zone: 'Courtside', section: 'VIP 1' },
    { zone: 'Orchestra', section: 'Left' },
    { zone: 'Balcony', section: 'Left' },
    { zone: 'Orchestra', section: 'Left Center' },
  ];

  it.each([
    [
      'zone and section in one label',
      { zone: '', section: 'Lower Bowl 101' },
      { zone: 'Lower Bowl', section: '101' },
    ],
    ['the section alone', { zone: '', section: 'Section 201' }, { zone: 'Club', section: '201' }],
    [
      'a zone of its own',
      { zone: 'lower bowl', section: 'SEC 101' },
      { zone: 'Lower Bowl', section: '101' },
    ],
    [
      'a section of two words',
      { zone: '', section: 'Courtside VIP 1' },
      { zone: 'Courtside', section: 'VIP 1' },
    ],
    [
      'the zone tells two apart',
      { zone: '', section: 'Balcony Left' },
      { zone: 'Balcony', section: 'Left' },
    ],
    [
      'a longer section name',
      { zone: '', section: 'Orchestra Left Center' },
      { zone: 'Orchestra', section: 'Left Center' },
    ],
    ['two candidates', { zone: '', section: 'Left' }, { zone: '', section: '' }],
    ['another zone', { zone: '', section: 'Club 101' }, { zone: '', section: '' }],
    ['a longer number', { zone: '', section: '1101' }, { zone: '', section: '' }],
    ['nothing', { zone: '', section: '' }, { zone: '', section: '' }],
  ])('%s', (_, label, names) => {
    expect(matchSeats(label, known)).toEqual(names);
  });
});
