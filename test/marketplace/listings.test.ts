import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createIngest } from '#marketplace/ingest/ingest.ts';
import { openStore } from '#marketplace/store/store.ts';
import { legacyListingsSchema, listingsFirstPageSchema } from '#shared/marketplace/contract.ts';
import { aListing, minuteMs, openMarket, walk } from './support/market.ts';

const path = '/v1/events/1/listings';

interface Row {
  listing_id: number;
  active: boolean;
  section: string;
}

/** Listings 3, 1, 2; 2 is gone by the second refresh. */
function marketWithListings() {
  const market = openMarket();
  market.list([aListing(3), aListing(1), aListing(2)]);
  market.pass(minuteMs);
  market.list([aListing(3), aListing(1, { price: 80, quantity: 1 })]);
  return market;
}

describe('GET /v1/events/{event_id}/listings', () => {
  it('answers the envelope and rows of the contract', async () => {
    const { json } = await marketWithListings().get(path);
    expect(listingsFirstPageSchema.safeParse(json).error).toBeUndefined();
    expect(json).toMatchObject({
      event_id: 1,
      service_event_id: 1,
      sh_event_id: 159_000_001,
      vs_event_id: 5_200_001,
      total_count: 3,
      has_refreshed: true,
      last_refreshed_at: '2026-11-27T12:01:00.000Z',
    });
    expect(json.data[0]).toEqual({
      listing_id: 1,
      active: true,
      zone: 'Lower Bowl',
      section: '101',
      row: '5',
      quantity_start: 2,
      quantity: 1,
      price: 80,
      created_at: '2026-11-27T12:00:00.000Z',
      updated_at: '2026-11-27T12:01:00.000Z',
    });
  });

  it("by marketplace id, event_id is the path's id and service_event_id the service's", async () => {
    const { json } = await marketWithListings().get(
      '/v1/events/159000001/listings?id_type=marketplace',
    );
    expect(json).toMatchObject({ event_id: 159_000_001, service_event_id: 1 });
  });

  it('rule 1: sorted by listing_id, then id, for active and delisted rows', async () => {
    const market = marketWithListings();
    market.pass(minuteMs);
    market.list([aListing(2, { section: '220' }), aListing(1), aListing(3)]);
    const { json } = await market.get(path);
    expect(json.data.map((row: Row) => [row.listing_id, row.section, row.active])).toEqual([
      [1, '101', true],
      [2, '101', false],
      [2, '220', true],
      [3, '101', true],
    ]);
  });

  it('an id listed again for the same seats is the same row', async () => {
    const market = marketWithListings();
    market.pass(minuteMs);
    market.list([aListing(1), aListing(2, { price: 70 }), aListing(3)]);
    const { json } = await market.get(path);
    expect(json.total_count).toBe(3);
    expect(json.data[1]).toMatchObject({ listing_id: 2, active: true, price: 70 });
  });

  it('rule 2: charged when the listings refreshed since the last charged pull, and has_refreshed says so', async () => {
    const market = marketWithListings();
    const key = market.keys.lowBalance;
    expect((await market.get(path, key)).json.has_refreshed).toBe(true);
    expect((await market.get(path, key)).json.has_refreshed).toBe(false);
    expect(market.balance('lowBalance')).toBe(4);
    market.pass(minuteMs);
    market.list([aListing(1)]);
    expect((await market.get(path, key)).json.has_refreshed).toBe(true);
    expect(market.balance('lowBalance')).toBe(3);
  });

  it('rule 2: a refresh without changes still counts as a refresh', async () => {
    const market = openMarket();
    market.list([aListing(1)]);
    await market.get(path, market.keys.lowBalance);
    market.pass(minuteMs);
    market.list([aListing(1)]);
    await market.get(path, market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(3);
  });

  it('rule 2: continuation pages are free', async () => {
    const market = marketWithListings();
    expect(await walk(market, `${path}?limit=1`, market.keys.lowBalance)).toHaveLength(3);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it('rule 2: an empty filtered result is free and leaves the refresh unpaid', async () => {
    const market = openMarket();
    market.list([aListing(1)]);
    const empty = await market.get(`${path}?active=false`, market.keys.lowBalance);
    expect(empty.json).toMatchObject({ data: [], total_count: 0, has_refreshed: false });
    expect(market.balance('lowBalance')).toBe(5);
    const full = await market.get(path, market.keys.lowBalance);
    expect(full.json.has_refreshed).toBe(true);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it('rule 2: before the first refresh a request is free', async () => {
    const market = openMarket();
    expect((await market.get(path, market.keys.lowBalance)).json).toMatchObject({
      data: [],
      has_refreshed: false,
      last_refreshed_at: null,
    });
    expect(market.balance('lowBalance')).toBe(5);
  });

  it('rule 2: the refresh state is shared with v0.1.1, in both directions', async () => {
    const market = marketWithListings();
    const key = market.keys.lowBalance;
    await market.get(path, key);
    expect((await market.get('/v0.1.1/listings/get?event_id=1', key)).json.has_refreshed).toBe(0);
    market.pass(minuteMs);
    market.list([aListing(1)]);
    expect((await market.get('/v0.1.1/listings/get?event_id=1', key)).json.has_refreshed).toBe(1);
    expect((await market.get(path, key)).json.has_refreshed).toBe(false);
    expect(market.balance('lowBalance')).toBe(3);
  });

  it('rule 2: the active value does not change the cost', async () => {
    const market = marketWithListings();
    await market.get(`${path}?active=true`, market.keys.lowBalance);
    await market.get(`${path}?active=false`, market.keys.lowBalance);
    await market.get(path, market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(4);
  });

  it.each([
    ['true', [1, 3]],
    ['false', [2]],
    ['', [1, 2, 3]],
  ])('active=%j returns %j', async (active, ids) => {
    const { json } = await marketWithListings().get(`${path}?active=${active}`);
    expect(json.data.map((row: Row) => row.listing_id)).toEqual(ids);
    expect(json.total_count).toBe(ids.length);
  });

  it.each(['True', 'FALSE', '1', '0', 'yes', ' true'])(
    'active=%j is invalid_param, free',
    async (active) => {
      const market = marketWithListings();
      const reply = await market.get(
        `${path}?active=${encodeURIComponent(active)}`,
        market.keys.lowBalance,
      );
      expect(reply).toMatchObject({
        status: 400,
        json: { error: { code: 'invalid_param', param: 'active' } },
      });
      expect(market.balance('lowBalance')).toBe(5);
    },
  );

  it('rule 3: total_count is the count at the first page, rows may appear between pages', async () => {
    const market = marketWithListings();
    const first = (await market.get(`${path}?limit=2`)).json;
    expect(first.total_count).toBe(3);
    market.pass(minuteMs);
    market.list([aListing(1), aListing(2), aListing(3), aListing(4)]);
    const second = (await market.get(`${path}?limit=2&starting_after=${first.next_cursor}`)).json;
    expect(second.data.map((row: Row) => row.listing_id)).toEqual([3, 4]);
  });

  it('rule 4: a cursor under another active value is invalid_cursor', async () => {
    const market = marketWithListings();
    const { json } = await market.get(`${path}?limit=1&active=true`);
    const replay = await market.get(
      `${path}?limit=1&active=false&starting_after=${json.next_cursor}`,
    );
    expect(replay).toMatchObject({ status: 400, json: { error: { code: 'invalid_cursor' } } });
  });
});

describe('GET /v0.1.1/listings/get', () => {
  it.each(['v0.1', 'v0.1.1'])(
    '%s: all listings, active as 0/1, no dates, gzip',
    async (version) => {
      const reply = await marketWithListings().get(
        `/${version}/listings/get?event_id_sh=159000001`,
      );
      expect(reply.headers.get('content-encoding')).toBe('gzip');
      expect(legacyListingsSchema.safeParse(reply.json).error).toBeUndefined();
      expect(reply.json).toMatchObject({ has_refreshed: 1, last_refresh_timestamp: 1795780860 });
      expect(reply.json.listings.map((row: { active: number }) => row.active)).toEqual([1, 0, 1]);
      expect(reply.json.listings[0]).not.toHaveProperty('created_at');
    },
  );

  it('a repeated page shows the newest refresh, also one from another process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marketplace-pages-'));
    const db = join(folder, 'market.sqlite');
    const market = openMarket({ db });
    const prices = async () => {
      const { json } = await market.get('/v1/events/1/listings?active=true');
      return json.data.map((row: { price: number }) => row.price);
    };
    market.list([aListing(1), aListing(2)]);
    expect([await prices(), await prices()]).toEqual([
      [100, 100],
      [100, 100],
    ]);
    market.pass(minuteMs);
    market.list([aListing(1, { price: 90 })]);
    expect(await prices()).toEqual([90]);
    market.pass(minuteMs);
    const other = openStore(db);
    createIngest(other, () => market.clock.at).accept({
      listing_sets: [{ event_id: 1, listings: [aListing(1, { price: 80 })] }],
    });
    other.close();
    expect(await prices()).toEqual([80]);
    market.close();
    rmSync(folder, { recursive: true });
  });
});
