/**
 * Delays calls per rate-limit bucket, from the answers' headers and the account's limits. Only
 * counts: it neither sleeps nor reads a clock. One limiter belongs to one API key.
 */
import { RATE_LIMIT_BUCKETS, type RateLimitBucket } from './contract/values.ts';
import type { RateLimits } from './reading/account.ts';

/** The content of an answer's rate-limit headers. */
export interface RateLimitReading {
  bucket: RateLimitBucket | undefined;
  limit: number;
  remaining: number;
  /** Epoch milliseconds, by the client's clock. */
  resetAtMs: number;
}

interface Bucket {
  limit?: number;
  windowMs?: number;
  remaining?: number;
  resetAtMs?: number;
  notBeforeMs: number;
  inFlight: number;
}

/**
 * Reads `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds); undefined unless all are present.
 */
export function readRateLimit(
  headers: Headers,
  bucket: RateLimitBucket | undefined,
  nowMs: number,
): RateLimitReading | undefined {
  const limit = readCount(headers, 'ratelimit-limit');
  const remaining = readCount(headers, 'ratelimit-remaining');
  const resetSeconds = readCount(headers, 'ratelimit-reset');
  if (limit === undefined || remaining === undefined || resetSeconds === undefined)
    return undefined;
  return { bucket, limit, remaining, resetAtMs: nowMs + resetSeconds * 1000 };
}

function readCount(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

export class RateLimiter {
  readonly #buckets = new Map<RateLimitBucket, Bucket>();

  /** Applies the limits of GET /v1/account. */
  learn(catalog: RateLimits): void {
    for (const name of RATE_LIMIT_BUCKETS) {
      const known = catalog[name];
      if (known === undefined) continue;
      const bucket = this.#bucket(name);
      bucket.limit = known.limit;
      bucket.windowMs = known.window_seconds * 1000;
    }
  }

  /**
   * Reserves one call of the bucket; call `applyReading` when the call ends.
   *
   * @returns 0 when reserved, otherwise the milliseconds to wait before the next try
   */
  take(name: RateLimitBucket, nowMs: number): number {
    const bucket = this.#bucket(name);
    if (bucket.notBeforeMs > nowMs) return bucket.notBeforeMs - nowMs;
    openWindow(bucket, nowMs);
    const { remaining, resetAtMs } = bucket;
    if (remaining !== undefined && resetAtMs !== undefined) {
      if (remaining <= 0) return resetAtMs - nowMs;
      bucket.remaining = remaining - 1;
    }
    bucket.inFlight += 1;
    return 0;
  }

  /** Ends a reserved call; the headers of its answer, if any, replace the client's own count. */
  applyReading(name: RateLimitBucket, reading: RateLimitReading | undefined): void {
    const bucket = this.#bucket(name);
    bucket.inFlight -= 1;
    if (reading === undefined) return;
    bucket.limit = reading.limit;
    bucket.resetAtMs = reading.resetAtMs;
    // The service may not have counted the calls under way: assume that it counted none of them.
    bucket.remaining = reading.remaining - bucket.inFlight;
  }

  /** After a 429: blocks calls of this bucket until the given time. */
  holdUntil(name: RateLimitBucket, untilMs: number): void {
    const bucket = this.#bucket(name);
    bucket.notBeforeMs = Math.max(bucket.notBeforeMs, untilMs);
  }

  #bucket(name: RateLimitBucket): Bucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const bucket: Bucket = { notBeforeMs: 0, inFlight: 0 };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

function openWindow(bucket: Bucket, nowMs: number): void {
  if (bucket.resetAtMs !== undefined && nowMs < bucket.resetAtMs) return;
  delete bucket.resetAtMs;
  delete bucket.remaining;
  if (bucket.limit === undefined || bucket.windowMs === undefined) return;
  bucket.resetAtMs = nowMs + bucket.windowMs;
  bucket.remaining = bucket.limit - bucket.inFlight;
}
