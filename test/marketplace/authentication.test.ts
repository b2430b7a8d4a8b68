import { describe, expect, it } from 'vitest';
import { openMarket } from './support/market.ts';

const everyRoute: [string, string][] = [
  ['GET', '/v1/account'],
  ['GET', '/v1/usage'],
  ['GET', '/v1/events/search'],
  ['GET', '/v1/events/1/sales'],
  ['POST', '/v1/events/sales/batch'],
  ['GET', '/v1/events/1/listings'],
  ['GET', '/v1/events/1/stats'],
  ['GET', '/v0.1/salesdata/get?event_id=1'],
  ['GET', '/v0.2/salesdata/get?event_id=1'],
  ['GET', '/v0.3/salesdata/get?event_id=1'],
  ['POST', '/v0.3/salesdata/batch'],
  ['GET', '/v0.1/listings/get?event_id=1'],
  ['GET', '/v0.1.1/listings/get?event_id=1'],
  ['POST', '/v0.3.1/events/search'],
  ['POST', '/v0.4/events/event-request-add'],
  ['GET', '/v0.4/events/event-request-status/00000000-0000-4000-8000-000000000000/'],
  ['GET', '/v0.5/daily-csv/download'],
];

const isLegacyText = (path: string) => /^\/v0\.[123]/.test(path);

describe('Authentication', () => {
  it.each([
    ['Authorization: Bearer', (key: string) => ({ authorization: `Bearer ${key}` })],
    ['bearer in lower case', (key: string) => ({ authorization: `bearer ${key}` })],
    ['api-key', (key: string) => ({ 'api-key': key })],
    [
      'api-key beside an Authorization of another scheme',
      (key: string) => ({ authorization: 'Basic eDp5', 'api-key': key }),
    ],
  ])('rule 1: takes %s', async (_, headers) => {
    const market = openMarket();
    const response = await market.request('/v1/account', { headers: headers(market.keys.main) });
    expect(response.status).toBe(200);
  });

  it.each(everyRoute)('rule 1: %s %s takes either header', async (method, path) => {
    const market = openMarket();
    const { main } = market.keys;
    for (const headers of [{ authorization: `Bearer ${main}` }, { 'api-key': main }]) {
      const body = method === 'POST' ? '{}' : null;
      const response = await market.request(path, { method, headers, body });
      expect([401, 403]).not.toContain(response.status);
    }
  });

  it('rule 2: every key is 64 characters and the same for v1 and v0.x', async () => {
    const market = openMarket();
    for (const key of Object.values(market.keys)) expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect((await market.get('/v0.3/salesdata/get?event_id=1')).status).toBe(200);
    expect((await market.get('/v1/events/1/sales')).status).toBe(200);
  });

  it.each([
    ['no header', {}],
    ['an empty key', { 'api-key': '' }],
    ['63 characters', { authorization: `Bearer ${'a'.repeat(63)}` }],
    ['65 characters', { 'api-key': 'a'.repeat(65) }],
    ['another scheme', { authorization: `Basic ${'a'.repeat(64)}` }],
    ['a key without its scheme', { authorization: 'a'.repeat(64) }],
  ])('rule 3: %s is missing_api_key', async (_, headers) => {
    const response = await openMarket().request('/v1/account', { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({
      error: { type: 'authentication_error', code: 'missing_api_key' },
    });
  });

  it('rule 3: an unknown key is invalid_api_key', async () => {
    expect(await openMarket().get('/v1/account', 'f'.repeat(64))).toMatchObject({
      status: 401,
      json: { error: { type: 'authentication_error', code: 'invalid_api_key' } },
    });
  });

  it.each(everyRoute)('rule 3: %s %s needs a key', async (method, path) => {
    const body = method === 'POST' ? '{}' : null;
    const response = await openMarket().request(path, { method, body });
    expect(response.status).toBe(401);
    const type = response.headers.get('content-type');
    expect(type).toMatch(isLegacyText(path) ? 'text/plain' : 'application/json');
  });

  it('rule 4: a key without a subscription is 403 subscription_required', async () => {
    const market = openMarket();
    expect(await market.get('/v1/account', market.keys.unsubscribed)).toMatchObject({
      status: 403,
      json: { error: { type: 'subscription_required', code: 'subscription_required' } },
    });
    const legacy = await market.get('/v0.3/salesdata/get?event_id=1', market.keys.unsubscribed);
    expect(legacy).toMatchObject({ status: 403, text: 'API subscription required' });
    const job = await market.post('/v0.4/events/event-request-add', {}, market.keys.unsubscribed);
    expect(job).toMatchObject({ status: 403, json: { error: 'API subscription required' } });
  });

  it('rule 4: the daily CSV also needs its own subscription', async () => {
    const market = openMarket();
    const path = '/v0.5/daily-csv/download';
    expect(await market.get(path, market.keys.noCsv)).toMatchObject({
      status: 401,
      json: { error: 'Daily Event CSV subscription required' },
    });
    expect(await market.get(path, market.keys.unsubscribed)).toMatchObject({
      status: 401,
      json: { error: 'API subscription required' },
    });
    expect((await market.get('/v1/account', market.keys.noCsv)).status).toBe(200);
  });

  it('rule 5: rate limits apply per key', async () => {
    const market = openMarket();
    for (let i = 0; i < 6; i += 1) await market.get('/v1/events/search');
    expect((await market.get('/v1/events/search')).status).toBe(429);
    expect((await market.get('/v1/events/search', market.keys.flat)).status).toBe(200);
  });

  it("the operator's routes accept only the operator's key", async () => {
    const market = openMarket();
    expect((await market.post('/operator/observations', {})).status).toBe(403);
    expect((await market.post('/operator/observations', {}, market.keys.operator)).status).toBe(
      200,
    );
  });
});
