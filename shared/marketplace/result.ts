/**
 * What every call resolves to: data, its cost, and what the answer said of the rate limit.
 */
import type { Charge } from './charge.ts';
import type { RateLimitReading } from './rate-limiter.ts';

export interface Result<T> {
  /** The answer's rows or body, in the contract's own names. */
  data: T;
  /** What the call cost, in pulls. */
  cost: Charge;
  /** Absent when the answer carried no rate-limit headers. */
  rateLimit: RateLimitReading | undefined;
}

/** One page of a cursor endpoint. */
export interface Page<Row> extends Result<Row[]> {
  hasMore: boolean;
  /** To be passed back as `startingAfter`, within an hour and under the same filter. */
  nextCursor: string | null;
}
