import { describe, expect, it } from 'vitest';
import { openMarket } from './support/market.ts';

const limitOf = (headers: Headers) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));

describe('Limits: rate limits', () => {
  it('every answer has limit, remaining and reset', async () => {
    const market = openMarket();
    const headersOf = async (path: string) => limitOf((await market.get(path)).headers);
    expect(await headersOf('/v1/account')).toEqual(['60', '59', '60']);
    market.pass(15_001);
    expect(await headersOf('/v1/account')).toEqual(['60', '58', '45']);
    expect(await headersOf('/v1/events/1/sales?source=x')).toEqual(['500', '499', '60']);
    expect(await headersOf('/v1/events/9/stats')).toEqual(['500', '499', '60']);
  });

  it('a refused key gets the limit of an unused bucket', async () => {
    const market = openMarket();
    await market.get('/v1/account');
    for (const key of ['e'.repeat(64), 'short']) {
      const { status, headers } = await market.get('/v1/account', key);
      expect(status).toBe(401);
      expect(limitOf(headers)).toEqual(['60', '60', '60']);
    }
  });

  it("a request without the subscription is not counted and gets the bucket's state", async () => {
    const market = openMarket();
    for (let i = 0; i < 70; i += 1) {
      const { status, headers } = await market.get('/v1/account', market.keys.unsubscribed);
      expect(status).toBe(403);
      expect(limitOf(headers)).toEqual(['60', '60', '60']);
    }
  });

  it('event-add reports the cap on unfinished jobs', async () => {
    const market = openMarket({ discover: () => new Promise(() => {}) });
    const submit = () => market.post('/v0.4/events/event-request-add', { search_query: 'x' });
    const seen = [];
    for (let i = 0; i < 6; i += 1) seen.push(await submit());
    expect(seen.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
    expect(seen.map(({ headers }) => limitOf(headers))).toEqual([
      ['5', '4', '180'],
      ['5', '3', '180'],
      ['5', '2', '180'],
      ['5', '1', '180'],
      ['5', '0', '180'],
      ['5', '0', '180'],
    ]);
    expect(seen[5]?.headers.get('retry-after')).toBe('180');
    const refused = await market.post('/v0.4/events/event-request-add', {}, 'e'.repeat(64));
    expect(limitOf(refused.headers)).toEqual(['5', '5', '0']);
  });

  it('answers before the key check have the headers too', async () => {
    const market = openMarket();
    const { headers } = await market.ask('/v1/events/1/sales', { method: 'PUT' });
    expect(limitOf(headers)).toEqual(['500', '500', '60']);
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

  it('buckets are separate: both searches share one, both listings share one', async () => {
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
