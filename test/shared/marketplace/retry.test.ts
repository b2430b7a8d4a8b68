import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NetworkError, ServerError } from '#shared/marketplace/errors.ts';
import { DEFAULT_LIMITS } from '#shared/marketplace/limits.ts';
import { backoffMs, decideRetry, parseRetryAfter } from '#shared/marketplace/retry.ts';
import {
  aStatsPage,
  createBench,
  hangUp,
  json,
  NOW_MS,
  type Reply,
  raw,
  startFakeService,
  unusedUrl,
} from '#test/support/marketplace/fake-service.ts';

const OK = json(aStatsPage([]));
const JSON_TYPE = { 'content-type': 'application/json' };

describe('Retry-After', () => {
  it.each([
    ['an HTTP-date ahead', 'Wed, 21 Oct 2026 07:28:00 GMT', 30_000],
    ['an HTTP-date in the past', 'Wed, 21 Oct 2026 07:00:00 GMT', 0],
    ['whole seconds', '120', 120_000],
    ['a fraction, rounded up', '1.5', 2000],
    ['zero', '0', 0],
    ['spaces around', ' 5 ', 5000],
    ['more than the cap', '999999999999', 3_600_000],
    ['an empty value', '', undefined],
    ['a word', 'soon', undefined],
    ['two headers', '120, 60', undefined],
    ['a negative number', '-1', undefined],
    ['an exponent', '1e3', undefined],
    ['a date of no month', 'Wed, 21 Foo 2026 07:28:00 GMT', undefined],
    ['an ISO date', '2026-10-21T07:28:00Z', undefined],
    ['no header', null, undefined],
  ])('%s', (_, value, expected) => {
    expect(parseRetryAfter(value, NOW_MS, 3_600_000)).toBe(expected);
  });

  it('never gives NaN, a negative value or more than the cap', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String)), (value) => {
        const waitMs = parseRetryAfter(value, NOW_MS, 3_600_000) ?? 0;
        return waitMs >= 0 && waitMs <= 3_600_000;
      }),
    );
  });
});

describe('the backoff', () => {
  it.each([
    [0, 0, 100],
    [0, 0.5, 250],
    [0, 1, 500],
    [1, 1, 1000],
    [2, 1, 2000],
    [9, 1, 20_000],
  ])('of attempt %d at %d is %d ms', (attempt, random, expected) => {
    expect(backoffMs(attempt, random, DEFAULT_LIMITS)).toBe(expected);
  });
});

describe('the decision to retry', () => {
  const at = { endpoint: 'GET /x' };
  const lost = new NetworkError('', at, 'lost');
  const unreachable = new NetworkError('', at, 'unreachable');
  const timeout = new NetworkError('', at, 'timeout');
  const server = (status: number) => new ServerError('', { ...at, status });
  const decide = (error: NetworkError | ServerError, repeat: 'free' | 'charged_again' | 'never') =>
    decideRetry({ error, attempt: 0, repeat, random: 1, limits: DEFAULT_LIMITS });

  it.each([
    ['lost', lost, 500, undefined],
    ['timeout', timeout, 500, undefined],
    ['unreachable', unreachable, 500, 500],
    ['deadline', new NetworkError('', at, 'deadline'), undefined, undefined],
    ['408', server(408), 500, 500],
    ['425', server(425), 500, 500],
    ['500', server(500), undefined, undefined],
    ['502', server(502), 500, undefined],
    ['503', server(503), 500, undefined],
    ['504', server(504), 500, undefined],
    ['an unreadable 200', server(200), 500, undefined],
  ])('%s', (_, error, whenFree, whenChargedAgain) => {
    expect(decide(error, 'free')).toBe(whenFree);
    expect(decide(error, 'charged_again')).toBe(whenChargedAgain);
    expect(decide(error, 'never')).toBeUndefined();
  });

  it('gives up after the last attempt', () => {
    const question = { error: lost, attempt: 3, repeat: 'free', random: 1 } as const;
    expect(decideRetry({ ...question, limits: DEFAULT_LIMITS })).toBeUndefined();
  });

  it('waits as long as a 503 asks', () => {
    const error = new ServerError('', { ...at, status: 503, retryAfterMs: 4000 });
    expect(decide(error, 'free')).toBe(4000);
  });
});

describe('a call with a transient fault', () => {
  it.each<[string, Reply]>([
    ['a broken connection', hangUp],
    ['408', raw('', 408)],
    ['425', raw('', 425)],
    ['502 with HTML', raw('<p>', 502, { 'content-type': 'text/html' })],
    ['503', json({ error: 'down' }, 503)],
    ['504', raw('', 504)],
    ['200 with HTML', raw('<p>', 200, { 'content-type': 'text/html' })],
    ['200 with cut JSON', raw('{"a', 200, JSON_TYPE)],
    ['200 with nothing', raw('', 200, JSON_TYPE)],
  ])('succeeds after %s', async (_, reply) => {
    const service = await startFakeService(reply, OK);
    const { client, sleeps } = createBench(service.url);
    await expect(client.statsPage(7)).resolves.toMatchObject({ data: [] });
    expect(service.seen).toHaveLength(2);
    expect(sleeps).toEqual([250]);
  });

  it('fails after four attempts with growing waits', async () => {
    const service = await startFakeService(raw('', 503));
    const { client, sleeps } = createBench(service.url);
    await expect(client.statsPage(7)).rejects.toMatchObject({ name: 'ServerError', status: 503 });
    expect(service.seen).toHaveLength(4);
    expect(sleeps).toEqual([250, 500, 1000]);
  });

  it('fails at once on a 500', async () => {
    const service = await startFakeService(raw('', 500));
    await expect(createBench(service.url).client.statsPage(7)).rejects.toThrow(ServerError);
    expect(service.seen).toHaveLength(1);
  });

  it('reports an address without a server', async () => {
    const { client } = createBench(await unusedUrl(), { maxRetries: 1 });
    await expect(client.account()).rejects.toMatchObject({
      name: 'NetworkError',
      fault: 'unreachable',
      possiblePulls: 0,
    });
  });
});

describe('a rate-limited call', () => {
  const limited = (retryAfter?: string | string[]) =>
    raw('', 429, retryAfter === undefined ? {} : { 'retry-after': retryAfter });

  it.each<[string, string | string[] | undefined, number]>([
    ['a date half a minute ahead', 'Wed, 21 Oct 2026 07:28:00 GMT', 30_000],
    ['a date in the past', 'Wed, 21 Oct 2026 07:00:00 GMT', 250],
    ['a fraction', '1.5', 2000],
    ['an empty value', '', 1000],
    ['a word', 'soon', 1000],
    ['two values', ['20', '10'], 1000],
    ['no header', undefined, 1000],
  ])('waits by %s', async (_, header, waitMs) => {
    const service = await startFakeService(limited(header), OK);
    const { client, sleeps } = createBench(service.url);
    await client.statsPage(7);
    expect(sleeps).toEqual([waitMs]);
  });

  it('throws a wait that is longer than the client sleeps, without sleeping', async () => {
    const service = await startFakeService(limited('120'));
    const { client, sleeps } = createBench(service.url);
    await expect(client.statsPage(7)).rejects.toMatchObject({
      name: 'RateLimitedError',
      bucket: 'events_stats',
      retryAfterMs: 120_000,
      status: 429,
      possiblePulls: 0,
    });
    expect(sleeps).toEqual([]);
  });

  it('uses the end of the window without a Retry-After', async () => {
    const headers = { 'ratelimit-limit': '6', 'ratelimit-remaining': '0', 'ratelimit-reset': '9' };
    const service = await startFakeService(raw('', 429, headers), OK);
    const { client, sleeps } = createBench(service.url);
    await client.statsPage(7);
    expect(sleeps).toEqual([9000]);
  });
});

describe('a charged call', () => {
  const sale = {
    timestamp: 1_757_000_000,
    quantity: 2,
    price: 80,
    zone: 'Lower',
    section: '101',
    row: 'A',
  };

  it.each<[string, Reply]>([
    ['a broken connection', hangUp],
    ['502', raw('', 502)],
    ['503', raw('', 503)],
    ['200 with cut JSON', raw('[{', 200, JSON_TYPE)],
  ])('of v0.3 sales is not repeated after %s, which may have cost a pull', async (_, reply) => {
    const service = await startFakeService(reply, json([sale]));
    const call = createBench(service.url).client.legacySales(7);
    await expect(call).rejects.toMatchObject({ possiblePulls: 1 });
    expect(service.seen).toHaveLength(1);
  });

  it('of v0.3 sales is repeated after a 429, which cost nothing', async () => {
    const service = await startFakeService(raw('', 429), json([sale]));
    const result = await createBench(service.url).client.legacySales(7);
    expect(result.cost).toEqual({ pulls: 1, reason: 'data' });
  });

  it.each<[string, Reply]>([
    ['a broken connection', hangUp],
    ['429', raw('', 429)],
    ['503', raw('', 503)],
    ['408', raw('', 408)],
  ])('by POST is never repeated after %s', async (_, reply) => {
    const service = await startFakeService(reply);
    const { client } = createBench(service.url);
    await expect(client.salesBatch({ eventIds: [1, 2] })).rejects.toThrow();
    await expect(client.legacySalesBatch({ eventIds: [1] })).rejects.toThrow();
    expect(service.seen.map((request) => request.path)).toEqual([
      '/v1/events/sales/batch',
      '/v0.3/salesdata/batch',
    ]);
  });

  it('by POST whose answer was lost may have cost a pull per event', async () => {
    const service = await startFakeService(hangUp);
    const call = createBench(service.url).client.salesBatch({ eventIds: [1, 2, 2] });
    await expect(call).rejects.toMatchObject({ name: 'NetworkError', possiblePulls: 2 });
  });
});
