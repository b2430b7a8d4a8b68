import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { RATE_LIMIT_BUCKETS } from '#shared/marketplace/contract.ts';
import { RateLimiter, readRateLimit } from '#shared/marketplace/rate-limiter.ts';
import {
  API_KEY,
  aStatsPage,
  createBench,
  json,
  NOW_MS,
  startFakeService,
} from '#test/support/marketplace/fake-service.ts';

const CATALOG = Object.fromEntries(
  RATE_LIMIT_BUCKETS.map((bucket) => [bucket, { limit: 3, window_seconds: 60 }]),
) as Record<(typeof RATE_LIMIT_BUCKETS)[number], { limit: number; window_seconds: number }>;

function reading(remaining: number, resetAtMs: number) {
  return { bucket: 'listings', limit: 3, remaining, resetAtMs } as const;
}

describe('a rate limiter', () => {
  it('delays no call before it knows a limit', () => {
    const limiter = new RateLimiter();
    for (let call = 0; call < 1000; call += 1) expect(limiter.take('listings', NOW_MS)).toBe(0);
  });

  it('counts by the catalog until the window ends', () => {
    const limiter = new RateLimiter();
    limiter.learn(CATALOG);
    const waits = [0, 0, 0, 0].map((_, call) => limiter.take('listings', NOW_MS + call * 1000));
    expect(waits).toEqual([0, 0, 0, 57_000]);
    for (let call = 0; call < 3; call += 1) limiter.applyReading('listings', undefined);
    expect(limiter.take('listings', NOW_MS + 60_000)).toBe(0);
  });

  it('counts each bucket by itself', () => {
    const limiter = new RateLimiter();
    limiter.learn(CATALOG);
    for (let call = 0; call < 3; call += 1) limiter.take('listings', NOW_MS);
    expect(limiter.take('sales', NOW_MS)).toBe(0);
  });

  it('replaces its own count by the headers of an answer', () => {
    const limiter = new RateLimiter();
    limiter.learn(CATALOG);
    limiter.take('listings', NOW_MS);
    limiter.applyReading('listings', reading(0, NOW_MS + 9000));
    expect(limiter.take('listings', NOW_MS + 1000)).toBe(8000);
    expect(limiter.take('listings', NOW_MS + 9000)).toBe(0);
  });

  it('leaves room for running calls that the headers may not count', () => {
    const limiter = new RateLimiter();
    limiter.take('listings', NOW_MS);
    limiter.take('listings', NOW_MS);
    limiter.applyReading('listings', reading(2, NOW_MS + 60_000));
    expect(limiter.take('listings', NOW_MS)).toBe(0);
    expect(limiter.take('listings', NOW_MS)).toBe(60_000);
  });

  it('blocks a bucket after a 429, and does not shorten the wait', () => {
    const limiter = new RateLimiter();
    limiter.holdUntil('listings', NOW_MS + 5000);
    limiter.holdUntil('listings', NOW_MS + 2000);
    expect(limiter.take('listings', NOW_MS)).toBe(5000);
  });

  it('never lets more calls into a window than its limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 60 }),
        (limit, gapsMs) => {
          const limiter = new RateLimiter();
          limiter.learn({ ...CATALOG, sales: { limit, window_seconds: 1 } });
          let now = NOW_MS;
          let windowEndsMs = 0;
          let taken = 0;
          for (const gapMs of gapsMs) {
            now += gapMs;
            if (limiter.take('sales', now) > 0) continue;
            limiter.applyReading('sales', undefined);
            if (now >= windowEndsMs) [windowEndsMs, taken] = [now + 1000, 0];
            taken += 1;
            expect(taken).toBeLessThanOrEqual(limit);
          }
        },
      ),
    );
  });
});

describe('the rate-limit headers', () => {
  const headers = (limit: string, remaining: string, reset: string) =>
    new Headers({
      'ratelimit-limit': limit,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': reset,
    });

  it('are read as counts and a time', () => {
    expect(readRateLimit(headers('6', '5', '60'), 'events_search', NOW_MS)).toEqual({
      bucket: 'events_search',
      limit: 6,
      remaining: 5,
      resetAtMs: NOW_MS + 60_000,
    });
  });

  it.each([
    ['', '5', '60'],
    ['6', '-1', '60'],
    ['6', '5', 'soon'],
  ])('are ignored as %s / %s / %s', (limit, remaining, reset) => {
    expect(readRateLimit(headers(limit, remaining, reset), 'usage', NOW_MS)).toBeUndefined();
  });
});

describe('a client', () => {
  const limited = (remaining: string) =>
    json(aStatsPage([]), 200, {
      'ratelimit-limit': '2',
      'ratelimit-remaining': remaining,
      'ratelimit-reset': '20',
    });

  it('waits for the next window when the last answer said that none is left', async () => {
    const service = await startFakeService(limited('1'), limited('0'), limited('1'));
    const { client, sleeps } = createBench(service.url);
    const page = await client.statsPage(7);
    expect(page.rateLimit).toEqual({
      bucket: 'events_stats',
      limit: 2,
      remaining: 1,
      resetAtMs: NOW_MS + 20_000,
    });
    await client.statsPage(7);
    await client.statsPage(7);
    expect(sleeps).toEqual([20_000]);
  });

  it('throws the wait, without a request, when it does not fit the deadline', async () => {
    const service = await startFakeService(limited('0'));
    const { client } = createBench(service.url);
    await client.statsPage(7);
    const call = client.statsPage(7, { deadlineMs: NOW_MS + 10_000 });
    await expect(call).rejects.toMatchObject({
      name: 'RateLimitedError',
      status: undefined,
      retryAfterMs: 20_000,
      bucket: 'events_stats',
    });
    expect(service.seen).toHaveLength(1);
  });

  it('counts by the rate limits of its options', async () => {
    const service = await startFakeService(json(aStatsPage([])));
    const sleeps: number[] = [];
    const client = new MarketplaceClient({
      baseUrl: service.url,
      apiKey: API_KEY,
      rateLimits: CATALOG,
      clock: () => NOW_MS + sleeps.reduce((sum, ms) => sum + ms, 0),
      sleep: async (ms) => void sleeps.push(ms),
    });
    for (let call = 0; call < 4; call += 1) await client.statsPage(7);
    expect(sleeps).toEqual([60_000]);
  });

  it('uses the rate limits of its account', async () => {
    const account = { user_id: 1, email: 'a@b.c', company: 'C', plans: [], rate_limits: CATALOG };
    const service = await startFakeService(json(account), json(aStatsPage([])));
    const { client, sleeps } = createBench(service.url);
    await client.account();
    for (let call = 0; call < 4; call += 1) await client.statsPage(7);
    expect(sleeps).toEqual([60_000]);
  });
});
