/**
 * The result of every call: data, its cost, and the answer's rate-limit state.
 */
import type { Charge } from './charge.ts';
import type { RateLimitReading } from './rate-limiter.ts';
import { IMF_FIXDATE } from './retry.ts';

/** The service's time by the answer's `Date` header. */
export interface ServiceClock {
  /** Epoch milliseconds, truncated to the second: the service's time is within the next second. */
  dateMs: number;
  /** Epoch milliseconds on the client's clock when the headers arrived. */
  receivedAtMs: number;
}

export interface Result<T> {
  /** The answer's rows or body, with the contract's field names. */
  data: T;
  /** What the call cost, in pulls. */
  cost: Charge;
  /** Absent when the answer had no rate-limit headers. */
  rateLimit: RateLimitReading | undefined;
  /** Absent when the answer had no date, or came from a proxy's cache. */
  serviceClock: ServiceClock | undefined;
}

/** Reads the `Date` header; ignored for an answer from a proxy's cache, because its date is old. */
export function readServiceClock(headers: Headers, nowMs: number): ServiceClock | undefined {
  const date = headers.get('date') ?? '';
  const age = headers.get('age');
  if (!IMF_FIXDATE.test(date) || (age !== null && age !== '0')) return undefined;
  const dateMs = Date.parse(date);
  return Number.isNaN(dateMs) ? undefined : { dateMs, receivedAtMs: nowMs };
}

/** One page of a cursor endpoint. */
export interface Page<Row> extends Result<Row[]> {
  /** Path of each unreadable row that was left out, with its first error. */
  oddRows?: readonly string[];
  hasMore: boolean;
  /** Pass it as `startingAfter` of the next page, within an hour and with the same filter. */
  nextCursor: string | null;
}
