import { describe, expect, it } from 'vitest';
import { errorEnvelopeSchema, paymentRequiredSchema } from '#shared/marketplace/contract.ts';
import { aListing, minuteMs, openMarket } from './support/market.ts';

/** An event with listings, snapshots and a sale, so that every charged call costs a pull. */
function marketWithAll() {
  const market = openMarket();
  market.list([aListing(1), aListing(2)]);
  market.pass(minuteMs);
  market.sell({ listing_id: 1 });
  return market;
}

describe('Errors: v1 JSON error envelope', () => {
  it.each([
    [
      'bad id_type',
      '/v1/events/1/sales?id_type=x',
      400,
      'invalid_request',
      'invalid_param',
      'id_type',
    ],
    [
      'bad source',
      '/v1/events/1/sales?source=x',
      400,
      'invalid_request',
      'invalid_param',
      'source',
    ],
    [
      'bad active',
      '/v1/events/1/listings?active=x',
      400,
      'invalid_request',
      'invalid_param',
      'active',
    ],
    [
      'bad cursor',
      '/v1/events/1/sales?starting_after=x',
      400,
      'invalid_request',
      'invalid_cursor',
      'starting_after',
    ],
    [
      'bad integer',
      '/v1/events/search?std_event_id=x',
      400,
      'invalid_request',
      'invalid_param',
      'std_event_id',
    ],
    [
      'bad boolean',
      '/v1/events/search?historical=yes',
      400,
      'invalid_request',
      'invalid_param',
      'historical',
    ],
    ['unknown event', '/v1/events/9/listings', 404, 'not_found', 'event_not_found', undefined],
    [
      'unknown marketplace id',
      '/v1/events/9/listings?id_type=marketplace',
      404,
      'not_found',
      'event_not_found',
      undefined,
    ],
  ])('%s', async (_, path, status, type, code, param) => {
    const reply = await openMarket().get(path);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toMatch('application/json');
    expect(errorEnvelopeSchema.safeParse(reply.json).error).toBeUndefined();
    expect(reply.json.error).toMatchObject({ type, code });
    expect(reply.json.error.param).toBe(param);
    expect('param' in reply.json.error).toBe(param !== undefined);
  });

  it('429 rate_limited carries Retry-After', async () => {
    const market = openMarket();
    for (let i = 0; i < 6; i += 1) await market.get('/v1/events/search');
    market.pass(20_500);
    const reply = await market.get('/v1/events/search');
    expect(reply).toMatchObject({
      status: 429,
      json: { error: { type: 'rate_limit_error', code: 'rate_limited' } },
    });
    expect(reply.headers.get('retry-after')).toBe('40');
  });

  it('an internal fault is 500 server_error, hides its cause and is reported once', async () => {
    const faults: string[] = [];
    const market = openMarket({ onFault: (error, route) => faults.push(`${route} ${error}`) });
    market.store.run('DROP TABLE snapshots');
    const reply = await market.get('/v1/events/1/stats');
    expect(reply).toMatchObject({
      status: 500,
      json: { error: { type: 'server_error', code: 'server_error' } },
    });
    expect(reply.text).not.toMatch(/snapshots|SQL/i);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch('GET /v1/events/{event_id}/stats');
  });

  it('no error repeats the key (cases, N: secrets)', async () => {
    const faults: string[] = [];
    const market = openMarket({ onFault: (error) => faults.push(String(error)) });
    const key = 'e'.repeat(64);
    for (const path of [
      '/v1/account',
      '/v0.3/salesdata/get?event_id=1',
      '/v0.5/daily-csv/download',
    ]) {
      expect((await market.get(path, key)).text).not.toMatch(key);
    }
    expect(faults).toEqual([]);
  });
});

describe('Errors: balance error (402)', () => {
  const charged = [
    '/v1/events/1/sales',
    '/v1/events/1/listings',
    '/v1/events/1/stats',
    '/v0.3/salesdata/get?event_id=1',
    '/v0.1.1/listings/get?event_id=1',
  ];

  it.each(charged)('is a flat object on %s', async (path) => {
    const market = marketWithAll();
    const reply = await market.get(path, market.keys.frozen);
    expect(reply.status).toBe(402);
    expect(paymentRequiredSchema.safeParse(reply.json).error).toBeUndefined();
    expect(reply.json).toEqual({
      error: 'payment_required',
      code: 'frozen',
      balance: 1000,
      required: 1,
      top_up_url: 'http://localhost/top-up',
    });
    expect(market.balance('frozen')).toBe(1000);
  });

  it('insufficient_balance once the balance is spent', async () => {
    const market = marketWithAll();
    for (let i = 0; i < 5; i += 1) await market.get('/v1/events/1/sales', market.keys.lowBalance);
    expect(await market.get('/v1/events/1/sales', market.keys.lowBalance)).toMatchObject({
      status: 402,
      json: { code: 'insufficient_balance', balance: 0, required: 1 },
    });
  });

  it('quota_and_balance_exhausted once both are spent: the quota goes first and returns with the cycle', async () => {
    const market = marketWithAll();
    const pull = () => market.get('/v1/events/1/sales', market.keys.quota);
    for (let i = 0; i < 3; i += 1) expect((await pull()).status).toBe(200);
    expect(market.balance('quota')).toBe(2);
    for (let i = 0; i < 2; i += 1) expect((await pull()).status).toBe(200);
    expect(await pull()).toMatchObject({
      status: 402,
      json: { code: 'quota_and_balance_exhausted', balance: 0, required: 1 },
    });
    market.clock.at = Date.parse('2026-12-27T12:00:00Z');
    expect((await pull()).status).toBe(200);
  });

  it('a frozen account still gets free answers', async () => {
    const market = openMarket();
    for (const path of [
      '/v1/events/1/sales',
      '/v1/events/1/stats',
      '/v1/account',
      '/v1/events/search',
    ]) {
      expect((await market.get(path, market.keys.frozen)).status).toBe(200);
    }
  });

  it('top_up_url says how to add pulls, and adding them works', async () => {
    const market = marketWithAll();
    expect(await (await market.request('/top-up')).text()).toMatch('/operator/top-ups');
    const body = { account: 'lowBalance', pulls: 7 };
    expect((await market.post('/operator/top-ups', body, market.keys.operator)).status).toBe(200);
    expect(market.balance('lowBalance')).toBe(12);
  });
});

describe('Errors: other rules', () => {
  it.each([
    '/v1/events/abc/sales',
    '/v1/events/abc/listings',
    '/api/v1/events/1.0/stats',
    '/nowhere',
  ])('%s is a plain HTTP 404 page', async (path) => {
    const reply = await openMarket().get(path);
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toMatch('text/html');
  });
});
