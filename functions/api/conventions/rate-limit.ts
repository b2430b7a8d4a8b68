// Limits the requests of each key per window, counted in the table, so that all instances count together.
import type { MiddlewareHandler } from 'hono';
import type { RequestCountStore } from '#shared/dynamo/request-counts.ts';
import type { ApiEnv } from '../env.ts';
import { problem } from '../problem.ts';

export interface RequestLimit {
  requests: number;
  windowSeconds: number;
}

/** Ten a second over a minute: more than a person or a chat bot needs, less than a client in an endless loop. */
export const usualRequestLimit: RequestLimit = { requests: 600, windowSeconds: 60 };

interface RateLimitDeps {
  counts: RequestCountStore;
  /** @default usualRequestLimit */
  limit?: RequestLimit | undefined;
}

/**
 * Counts a request of a key at `now` (epoch ms).
 * @returns the headers that say what remains.
 * @throws ProblemError 429 above the limit.
 */
export async function countRequest(
  { counts, limit = usualRequestLimit }: RateLimitDeps,
  keyId: string,
  now: number,
): Promise<Record<string, string>> {
  const { requests, windowSeconds } = limit;
  const seconds = now / 1_000;
  const startsAt = Math.floor(seconds / windowSeconds) * windowSeconds;
  const made = await counts.add(keyId, startsAt);
  const resetSeconds = Math.ceil(startsAt + windowSeconds - seconds);
  const headers = {
    'RateLimit-Limit': String(requests),
    'RateLimit-Remaining': String(Math.max(0, requests - made)),
    'RateLimit-Reset': String(resetSeconds),
  };
  if (made <= requests) return headers;
  throw problem(
    'rate-limited',
    `${requests} requests in ${windowSeconds} s; the next window begins in ${resetSeconds} s`,
    { headers: { ...headers, 'retry-after': String(resetSeconds) } },
  );
}

/** Every answer has the remaining requests (RateLimit-*, seconds to the reset); above the limit it is 429. */
export function createRateLimit(
  deps: RateLimitDeps & { now: () => number },
): MiddlewareHandler<ApiEnv> {
  return async function rateLimit(context, next) {
    const headers = await countRequest(deps, context.get('apiKey').keyId, deps.now());
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    await next();
  };
}
