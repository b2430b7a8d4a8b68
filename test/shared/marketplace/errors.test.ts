import { describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  ContractError,
  CursorError,
  InvalidRequestError,
  MarketplaceError,
  NotFoundError,
  PaymentRequiredError,
  RateLimitedError,
  ServerError,
  SubscriptionError,
} from '#shared/marketplace/errors.ts';
import {
  aSnapshot,
  aStatsPage,
  createBench,
  envelope,
  json,
  type Reply,
  raw,
  startFakeService,
} from '#test/support/marketplace/fake-service.ts';

const ONCE = { maxRetries: 0 };
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

async function failStats(reply: Reply, options = {}): Promise<unknown> {
  const service = await startFakeService(reply);
  return createBench(service.url, ONCE)
    .client.statsPage(7, options)
    .catch((error: unknown) => error);
}

describe('a failed v1 call', () => {
  it.each([
    [
      '400 invalid_param',
      400,
      envelope('invalid_request', 'invalid_param', 'limit'),
      InvalidRequestError,
    ],
    [
      '400 invalid_cursor',
      400,
      envelope('invalid_request', 'invalid_cursor', 'starting_after'),
      CursorError,
    ],
    [
      '401 missing key',
      401,
      envelope('authentication_error', 'missing_api_key'),
      AuthenticationError,
    ],
    [
      '401 unknown key',
      401,
      envelope('authentication_error', 'invalid_api_key'),
      AuthenticationError,
    ],
    ['403', 403, envelope('subscription_required', 'subscription_required'), SubscriptionError],
    ['404 event_not_found', 404, envelope('not_found', 'event_not_found'), NotFoundError],
    ['408', 408, {}, ServerError],
    ['413', 413, {}, InvalidRequestError],
    ['425', 425, {}, ServerError],
    ['429', 429, envelope('rate_limit_error', 'rate_limited'), RateLimitedError],
    ['500', 500, envelope('server_error', 'server_error'), ServerError],
    ['503', 503, {}, ServerError],
  ])('of %s maps onto its class', async (_, status, body, type) => {
    const error = await failStats(json(body, status));
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(MarketplaceError);
    expect(error).toMatchObject({ status, endpoint: 'GET /v1/events/{event_id}/stats' });
  });

  it('names the wrong parameter', async () => {
    const error = await failStats(json(envelope('invalid_request', 'invalid_param', 'limit'), 400));
    expect(error).toMatchObject({ param: 'limit', code: 'invalid_param' });
  });

  it('gives balance, required pulls, code and top-up URL of a flat 402', async () => {
    const error = await failStats(
      json(
        {
          error: 'payment_required',
          code: 'frozen',
          balance: 0,
          required: 1,
          top_up_url: 'https://pay.example/x',
        },
        402,
      ),
    );
    expect(error).toBeInstanceOf(PaymentRequiredError);
    expect(error).toMatchObject({
      code: 'frozen',
      balance: 0,
      required: 1,
      topUpUrl: 'https://pay.example/x',
    });
  });

  it('is a PaymentRequiredError even with an empty 402 body', async () => {
    const error = await failStats(raw('pay', 402, TEXT));
    expect(error).toBeInstanceOf(PaymentRequiredError);
    expect(error).toMatchObject({ balance: undefined, topUpUrl: undefined });
  });

  it('distinguishes an HTML 404 page from a missing event', async () => {
    const page = await failStats(raw('<h1>Not Found</h1>', 404, HTML));
    const event = await failStats(json(envelope('not_found', 'event_not_found'), 404));
    expect(page).toMatchObject({ name: 'NotFoundError', subject: 'route' });
    expect(event).toMatchObject({ name: 'NotFoundError', subject: 'event' });
  });

  it('is a ServerError for an HTML 502 page', async () => {
    const error = await failStats(raw('<html>bad gateway</html>', 502, HTML));
    expect(error).toMatchObject({ name: 'ServerError', status: 502 });
  });

  it('keeps at most 500 characters of the body', async () => {
    const error = await failStats(raw('x'.repeat(10_000), 500, TEXT));
    expect(error).toMatchObject({ bodyExcerpt: 'x'.repeat(500) });
  });

  it('does not follow a redirect', async () => {
    const error = await failStats(raw('', 302, { location: 'http://127.0.0.1:1/steal' }));
    expect(error).toMatchObject({ name: 'ServerError', status: 302 });
  });
});

describe('a failed v0.x call', () => {
  async function failLegacySales(reply: Reply) {
    const service = await startFakeService(reply);
    const { client } = createBench(service.url, ONCE);
    return client.legacySales(7).catch((error: unknown) => error);
  }

  it.each([
    ['a plain-text 400', 400, 'event_id must be an integer', 'InvalidRequestError'],
    ['a plain-text 400 of an unknown event', 400, 'Event not found', 'NotFoundError'],
    ['a plain-text 401', 401, 'Unauthorized', 'AuthenticationError'],
    ['a 401 that wants a subscription', 401, 'API subscription required', 'SubscriptionError'],
    ['a plain-text 429', 429, 'slow down', 'RateLimitedError'],
  ])('maps %s', async (_, status, text, name) => {
    const error = await failLegacySales(raw(text, status, TEXT));
    expect(error).toMatchObject({ name, status, bodyExcerpt: text });
  });

  it('reads the daily CSV error with its wait in the body', async () => {
    const service = await startFakeService(json({ error: 'slow down', retry_after: 7.2 }, 429));
    const { client } = createBench(service.url, ONCE);
    await expect(client.dailyCsv()).rejects.toMatchObject({
      name: 'RateLimitedError',
      bucket: 'daily_csv',
      retryAfterMs: 8000,
    });
  });

  it('distinguishes a missing CSV subscription from a bad key', async () => {
    const body = { error: 'Daily Event CSV subscription required' };
    const service = await startFakeService(json(body, 401));
    const { client } = createBench(service.url, ONCE);
    await expect(client.dailyCsv()).rejects.toMatchObject({ name: 'SubscriptionError' });
  });

  it('says that the job is unknown', async () => {
    const service = await startFakeService(raw('Job not found', 404, TEXT));
    const { client } = createBench(service.url, ONCE);
    const call = client.eventAddJob('0198b3b4-6f5e-7cc0-8000-0242ac120002');
    await expect(call).rejects.toMatchObject({ name: 'NotFoundError', subject: 'job' });
  });

  it('says that too many jobs are unfinished', async () => {
    const body = { error: 'too many jobs', active_jobs: 5, max_simultaneous: 5 };
    const service = await startFakeService(json(body, 429));
    const { client } = createBench(service.url);
    const call = client.addEvents('Knicks');
    await expect(call).rejects.toMatchObject({ name: 'RateLimitedError', code: 'too_many_jobs' });
    expect(service.seen).toHaveLength(1);
  });
});

describe('an answer of another shape', () => {
  const page = aStatsPage([aSnapshot('2026-10-20T10:00:00Z')]);
  const withRow = (row: Record<string, unknown>) =>
    aStatsPage([{ ...aSnapshot('2026-10-20T10:00:00Z'), ...row }]);

  it.each([
    ['a price as a string', withRow({ get_in: '2879.20' }), 'data.0.get_in'],
    ['a missing field', withRow({ avg_price: undefined }), 'data.0.avg_price'],
    ['a time without zone', withRow({ timestamp: '2026-10-20T10:00:00' }), 'data.0.timestamp'],
    ['a fractional count', withRow({ total_listings_active: 1.5 }), 'data.0.total_listings_active'],
    ['a number for a flag', { ...page, has_more: 0 }, 'has_more'],
    ['an array', [page], ''],
  ])('%s is a ContractError with its path', async (_, body, path) => {
    const error = await failStats(json(body));
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ path, status: 200, endpoint: 'GET /v1/events/{event_id}/stats' });
  });

  it('is not retried', async () => {
    const service = await startFakeService(json([]));
    await expect(createBench(service.url).client.statsPage(7)).rejects.toThrow(ContractError);
    expect(service.seen).toHaveLength(1);
  });

  it.each([
    ['200 with HTML', raw('<p>hi', 200, HTML)],
    ['200 with an empty body', raw('', 200, { 'content-type': 'application/json' })],
    ['200 with cut JSON', raw('{"event_id":7,"da', 200, { 'content-type': 'application/json' })],
    ['200 with an image', raw('GIF89a', 200, { 'content-type': 'image/gif' })],
  ])('%s is a ServerError', async (_, reply) => {
    expect(await failStats(reply)).toMatchObject({ name: 'ServerError', status: 200 });
  });
});

describe('a wrong argument', () => {
  it.each([
    ['limit', { limit: 201 }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 2.5 }],
    ['start_date', { startDate: 'yesterday' }],
    ['starting_after', { startingAfter: '' }],
    ['lastPaidSnapshotAt', { lastPaidSnapshotAt: 'soon' }],
  ])('names %s and sends no request', async (param, options) => {
    const service = await startFakeService(json(aStatsPage([])));
    const call = createBench(service.url).client.statsPage(7, options);
    await expect(call).rejects.toMatchObject({
      name: 'InvalidRequestError',
      param,
      status: undefined,
    });
    expect(service.seen).toHaveLength(0);
  });

  it.each([[-1], [1.5], [Number.NaN], [2 ** 60]])('refuses %d as an event id', async (id) => {
    const call = createBench('http://127.0.0.1:1').client.statsPage(id);
    await expect(call).rejects.toMatchObject({ name: 'InvalidRequestError', param: 'event_id' });
  });
});
