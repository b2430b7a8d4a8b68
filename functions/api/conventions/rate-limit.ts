// Limits the requests of each key per window, counted in the table, so that all instances count together.
import type { MiddlewareHandler } from 'hono';
import type { RequestCountStore } from '#shared/dynamo/request-counts.ts';
import type { ApiEnv } from '../env.ts';
import { problem } from '../problem.ts';

export interface RequestLimit {
  requests: number;
  windowSeconds: number;
}

interface RateLimitDeps {
  counts: RequestCountStore;
  limit: RequestLimit;
  now: () => number;
}

/** Every answer has the remaining requests (RateLimit-*, seconds to the reset); above the limit it is 429. */
export function createRateLimit({ counts, limit, now }: RateLimitDeps): MiddlewareHandler<ApiEnv> {
  const { requests, windowSeconds } = limit;
  return async function rateLimit(context, next) {
    const seconds = now() / 1_000;
    const startsAt = Math.floor(seconds / windowSeconds) * windowSeconds;
    const made = await counts.add(context.get('apiKey').keyId, startsAt);
    const resetSeconds = Math.ceil(startsAt + windowSeconds - seconds);
    context.header('RateLimit-Limit', String(requests));
    context.header('RateLimit-Remaining', String(Math.max(0, requests - made)));
    context.header('RateLimit-Reset', String(resetSeconds));
    if (made > requests) {
      throw problem(
        'rate-limited',
        `${requests} requests in ${windowSeconds} s; the next window begins in ${resetSeconds} s`,
        { headers: { 'retry-after': String(resetSeconds) } },
      );
    }
    await next();
  };
}
