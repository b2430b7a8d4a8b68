/**
 * Rate limits per key and bucket over fixed windows, in memory: after a restart new windows start.
 */
import type { RateLimit, RateLimitBucket } from '#shared/marketplace/contract.ts';
import { OverLimitError } from './errors.ts';

export type RateLimitCatalog = Record<
  RateLimitBucket,
  Required<Pick<RateLimit, 'limit' | 'window_seconds'>>
>;

/** The limits of facts.md. */
export const rateLimitCatalog: RateLimitCatalog = {
  account: { limit: 60, window_seconds: 60 },
  usage: { limit: 60, window_seconds: 60 },
  events_search: { limit: 6, window_seconds: 60 },
  salesdata: { limit: 500, window_seconds: 60 },
  sales: { limit: 500, window_seconds: 60 },
  sales_batch: { limit: 500, window_seconds: 60 },
  listings: { limit: 500, window_seconds: 60 },
  events_stats: { limit: 500, window_seconds: 60 },
  daily_csv: { limit: 10, window_seconds: 3600 },
};

/** The content of the rate-limit headers after a request. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
}

export interface BucketLimiter {
  /** Counts one request of the account in the bucket; `over` when it is over the limit. */
  take(accountId: number, bucket: RateLimitBucket, now: number): RateLimitState & { over: boolean };
  /** The bucket's current state, without counting; without an account, an unused bucket. */
  look(accountId: number | undefined, bucket: RateLimitBucket, now: number): RateLimitState;
}

interface Window {
  endsAt: number;
  taken: number;
}

/** A window starts with its first request and lasts as long as the catalog says. */
export function createRateLimiter(catalog: RateLimitCatalog): BucketLimiter {
  const windows = new Map<string, Window>();
  const openWindow = (accountId: number | undefined, bucket: RateLimitBucket, now: number) => {
    const known = windows.get(`${accountId} ${bucket}`);
    if (known && now < known.endsAt) return known;
    return { endsAt: now + catalog[bucket].window_seconds * 1000, taken: 0 };
  };
  const describe = (window: Window, bucket: RateLimitBucket, now: number): RateLimitState => {
    const { limit } = catalog[bucket];
    return {
      limit,
      remaining: limit - window.taken,
      resetSeconds: Math.ceil((window.endsAt - now) / 1000),
    };
  };
  return {
    take: (accountId, bucket, now) => {
      const window = openWindow(accountId, bucket, now);
      windows.set(`${accountId} ${bucket}`, window);
      const over = window.taken >= catalog[bucket].limit;
      if (!over) window.taken += 1;
      return { over, ...describe(window, bucket, now) };
    },
    look: (accountId, bucket, now) => describe(openWindow(accountId, bucket, now), bucket, now),
  };
}

/** @throws OverLimitError when the request is over the limit. */
export function refuseOverLimit(state: RateLimitState & { over: boolean }): void {
  if (state.over) throw new OverLimitError(Math.max(1, state.resetSeconds));
}
