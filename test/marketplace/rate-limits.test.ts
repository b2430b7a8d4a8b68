import { describe, expect, it } from 'vitest';
import { openMarket } from './support/market.ts';

describe('Limits: rate limits', () => {
  it('every answer says limit, remaining and reset', async () => {
    const market = openMarket();
    const headersOf = async (path: string) => {
      const { headers } = await market.get(path);
      return ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
    };
    expect(await headersOf('/v1/account')).toEqual(['60', '59', '60']);
    market.pass(15_001);
    expect(await headersOf('/v1/account')).toEqual(['60', '58', '45']);
    expect(await headersOf('/v1/events/1/sales?source=x')).toEqual(['500', '499', '60']);
    expect(await headersOf('/v1/events/9/stats')).toEqual(['500', '499', '60']);
  });

  it.each([
    ['account', '/v1/account', 60],
    ['usage', '/v1/usage', 60],
    ['events_search', '/v1/events/search', 6],
    ['sales', '/v1/events/1/sales', 500],
    ['listings', '/v1/events/1/listings', 500],
    ['events_stats', '/v1/events/1/stats', 500],
    ['salesdata', '/v0.3/salesdata/get?event_id=1', 500],
    ['daily_csv', '/v0.5/daily-csv/download', 10],
  ])(
    'bucket %s takes as many as the catalog says, refuses the next, and opens again',
    async (bucket, path, limit) => {
      const market = openMarket();
      const catalog = (await market.get('/v1/account', market.keys.flat)).json.rate_limits;
      expect(catalog[bucket].limit).toBe(limit);
      for (let i = 0; i < limit; i += 1) {
        const { status } = await market.get(path);
        if (status !== 200) expect(status, `request ${i + 1}`).toBe(200);
      }
      const refused = await market.get(path);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('ratelimit-remaining')).toBe('0');
      expect(Number(refused.headers.get('retry-after'))).toBe(catalog[bucket].window_seconds);
      market.pass(catalog[bucket].window_seconds * 1000);
      expect((await market.get(path)).status).toBe(200);
    },
  );

  it('buckets are apart: both searches share one, both listings share one', async () => {
    const market = openMarket();
    for (let i = 0; i < 5; i += 1) await market.get('/v1/events/search');
    expect((await market.post('/v0.3.1/events/search', {})).status).toBe(200);
    const over = await market.post('/v0.3.1/events/search', {});
    expect(over.status).toBe(429);
    expect(over.headers.get('content-type')).toMatch('text/plain');
    expect(over.headers.get('retry-after')).toBe('60');
    expect((await market.get('/v1/account')).status).toBe(200);
    await market.get('/v1/events/1/listings');
    const legacy = await market.get('/v0.1.1/listings/get?event_id=1');
    expect(legacy.headers.get('ratelimit-remaining')).toBe('498');
  });

  it('a refused request is neither charged nor counted as usage', async () => {
    const market = openMarket({ rateLimits: { sales: { limit: 1, window_seconds: 60 } } });
    market.list([{ listing_id: 1, section: '1', quantity: 1, price: 5 }]);
    market.sell({ listing_id: 1 });
    await market.get('/v1/events/1/sales', market.keys.lowBalance);
    await market.get('/v1/events/1/sales', market.keys.lowBalance);
    expect(market.balance('lowBalance')).toBe(4);
    const { json } = await market.get('/v1/usage', market.keys.lowBalance);
    expect(json.totals).toMatchObject({ api_calls: 2, salesdata_pulls: 1 });
  });
});
