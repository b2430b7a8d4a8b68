import { describe, expect, it } from 'vitest';
import { aListing, minuteMs, openMarket, walk } from './support/market.ts';

function marketWithSales() {
  const market = openMarket();
  market.list([1, 2, 3].map((id) => aListing(id)));
  market.pass(minuteMs);
  for (const id of [1, 2, 3]) market.sell({ listing_id: id });
  return market;
}

describe('Versioning', () => {
  it.each([
    '/v1/account',
    '/v1/usage',
    '/v1/events/search',
    '/v1/events/1/sales',
    '/v1/events/1/listings',
    '/v1/events/1/stats',
    '/v0.1/salesdata/get?event_id=1',
    '/v0.2/salesdata/get?event_id=1',
    '/v0.3/salesdata/get?event_id=1',
    '/v0.1/listings/get?event_id=1',
    '/v0.1.1/listings/get?event_id=1',
    '/v0.5/daily-csv/download',
  ])('rules 1 to 3: GET %s is served, with and without /api', async (path) => {
    const market = openMarket();
    expect((await market.get(path)).status).toBe(200);
    expect((await market.get(`/api${path}`)).status).toBe(200);
  });

  it.each([
    ['/v1/events/sales/batch', { event_ids: [1] }, 200],
    ['/v0.3/salesdata/batch', { event_ids: [1] }, 200],
    ['/v0.3.1/events/search', {}, 200],
    ['/v0.4/events/event-request-add', { search_query: 'x' }, 202],
  ])('rules 1 to 3: POST %s is served, with and without /api', async (path, body, status) => {
    const market = openMarket();
    expect((await market.post(path, body)).status).toBe(status);
    expect((await market.post(`/api${path}`, body)).status).toBe(status);
  });

  it('rule 4: billing is identical across versions', async () => {
    const market = marketWithSales();
    await market.get('/v0.3/salesdata/get?event_id=1', market.keys.lowBalance);
    await market.get('/v1/events/1/sales', market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(3);
    await market.get('/v0.1.1/listings/get?event_id=1', market.keys.lowBalance);
    await market.get('/v1/events/1/listings', market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(2);
  });

  it('rule 5: v1 sales rows add listing_id, source and all_in_price to the v0.3 row, unzipped', async () => {
    const market = marketWithSales();
    const legacy = await market.get('/v0.3/salesdata/get?event_id=1');
    const v1 = await market.get('/v1/events/1/sales');
    expect(v1.headers.get('content-encoding')).toBeNull();
    expect(v1.headers.get('content-type')).toMatch('application/json');
    expect(v1.json.data[0]).toEqual({
      ...legacy.json[0],
      listing_id: 3,
      source: 'sh',
      all_in_price: null,
    });
  });

  it('rule 6: v1 listings add dates and a boolean active', async () => {
    const market = marketWithSales();
    const legacy = (await market.get('/v0.1.1/listings/get?event_id=1')).json.listings[0];
    const v1 = (await market.get('/v1/events/1/listings')).json.data[0];
    expect(v1).toEqual({
      ...legacy,
      active: true,
      created_at: '2026-11-27T12:00:00.000Z',
      updated_at: '2026-11-27T12:00:00.000Z',
    });
  });

  it('rule 7: the first page alone misses rows; the walk has them all', async () => {
    const market = marketWithSales();
    const pages = await walk(market, '/v1/events/1/sales?limit=2');
    expect(pages.map((page) => page.data.length)).toEqual([2, 1]);
    expect(pages[0].total_count).toBe(3);
  });
});
