import { describe, expect, it } from 'vitest';
import { accountSchema, usageSchema } from '#shared/marketplace/contract.ts';
import { aListing, minuteMs, openMarket } from './support/market.ts';

describe('GET /v1/account', () => {
  it('returns the account, its plan and the rate limits', async () => {
    const market = openMarket();
    const { json } = await market.get('/v1/account');
    expect(accountSchema.safeParse(json).error).toBeUndefined();
    expect(json.plans).toEqual([
      {
        id: 'tiered',
        name: 'Tiered',
        status: 'active',
        billing_period_start: '2026-11-27T12:00:00.000Z',
        billing_period_end: '2026-12-27T12:00:00.000Z',
        renews_at: '2026-12-27T12:00:00.000Z',
      },
    ]);
    expect(json.rate_limits).toEqual({
      account: { limit: 60, window_seconds: 60 },
      usage: { limit: 60, window_seconds: 60 },
      events_search: { limit: 6, window_seconds: 60 },
      salesdata: { limit: 500, window_seconds: 60 },
      sales: { limit: 500, window_seconds: 60 },
      sales_batch: { limit: 500, window_seconds: 60 },
      listings: { limit: 500, window_seconds: 60 },
      events_stats: { limit: 500, window_seconds: 60 },
      daily_csv: { limit: 10, window_seconds: 3600 },
    });
    expect((await market.get('/v1/account', market.keys.flat)).json.plans[0].id).toBe('flat');
  });
});

describe('GET /v1/usage', () => {
  it('counts calls from the request log and pulls from the ledger', async () => {
    const market = openMarket();
    market.list([aListing(1)]);
    market.pass(minuteMs);
    market.sell({ listing_id: 1 });
    await market.get('/v1/events/1/sales');
    await market.get('/v1/events/1/sales');
    await market.get('/v1/events/1/stats');
    await market.get('/v1/events/1/stats');
    await market.get('/api/v1/events/1/listings');
    await market.get('/v0.3/salesdata/get?event_id=1');
    await market.get('/v1/events/search');
    await market.post('/v0.3.1/events/search', {});
    await market.get('/v0.5/daily-csv/download');
    await market.get('/v1/events/999/stats');
    const { json } = await market.get('/v1/usage');
    expect(usageSchema.safeParse(json).error).toBeUndefined();
    expect(json).toEqual({
      period_start: '2026-11-27T12:00:00.000Z',
      period_end: '2026-12-27T12:00:00.000Z',
      totals: {
        api_calls: 11,
        events_searched: 2,
        salesdata_pulls: 3,
        listings_pulls: 1,
        stats_pulls: 1,
        daily_csv_downloads: 1,
      },
      by_endpoint: [
        { endpoint: 'GET /v0.3/salesdata/get', count: 1 },
        { endpoint: 'GET /v0.5/daily-csv/download', count: 1 },
        { endpoint: 'GET /v1/events/search', count: 1 },
        { endpoint: 'GET /v1/events/{event_id}/listings', count: 1 },
        { endpoint: 'GET /v1/events/{event_id}/sales', count: 2 },
        { endpoint: 'GET /v1/events/{event_id}/stats', count: 3 },
        { endpoint: 'GET /v1/usage', count: 1 },
        { endpoint: 'POST /v0.3.1/events/search', count: 1 },
      ],
    });
  });

  it('a refused download does not count', async () => {
    const market = openMarket();
    await market.get('/v0.5/daily-csv/download?date=nope');
    expect((await market.get('/v1/usage')).json.totals.daily_csv_downloads).toBe(0);
  });

  it('starts near 0 right after a renewal', async () => {
    const market = openMarket();
    await market.get('/v1/account');
    market.clock.at = Date.parse('2026-12-27T12:00:00Z');
    const { json } = await market.get('/v1/usage');
    expect(json.period_start).toBe('2026-12-27T12:00:00.000Z');
    expect(json.totals.api_calls).toBe(1);
  });

  it('without cycles, usage covers the last 30 days', async () => {
    const market = openMarket();
    market.store.run('UPDATE accounts SET period_anchor = NULL');
    const { json } = await market.get('/v1/usage');
    expect(json).toMatchObject({
      period_start: '2026-10-28T12:00:00.000Z',
      period_end: '2026-11-27T12:00:00.000Z',
    });
  });
});
