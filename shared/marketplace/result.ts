/**
 * What every call resolves to: data, its cost, and what the answer said of the rate limit.
 */
import type { Charge } from './charge.ts';
import type { RateLimitReading } from './rate-limiter.ts';
import { IMF_FIXDATE } from './retry.ts';

/** What the answer's `Date` header said of the service's clock. */
export interface ServiceClock {
  /** Epoch milliseconds, cut to the whole second: the service's time lies within the second after it. */
  dateMs: number;
  /** Epoch milliseconds by the client's clock, when the headers had arrived. */
  receivedAtMs: number;
}

export interface Result<T> {
  /** The answer's rows or body, in the contract's own names. */
  data: T;
  /** What the call cost, in pulls. */
  cost: Charge;
  /** Absent when the answer carried no rate-limit headers. */
  rateLimit: RateLimitReading | undefined;
  /** Absent when the answer carried no date, or a proxy had kept it for a while. */
  serviceClock: ServiceClock | undefined;
}

/** Reads the `Date` header; an answer that a proxy kept tells of a time that has passed. */
export function readServiceClock(headers: Headers, nowMs: number): ServiceClock | undefined {
  const date = headers.get('date') ?? '';
  const age = headers.get('age');
  if (!IMF_FIXDATE.test(date) || (age !== null && age !== '0')) return undefined;
  const dateMs = Date.parse(date);
  return Number.isNaN(dateMs) ? undefined : { dateMs, receivedAtMs: nowMs };
}

/** One page of a cursor endpoint. */
export interface Page<Row> extends Result<Row[]> {
  /** Where the rows are that could not be read and were left out, with the first thing wrong. */
  oddRows?: readonly string[];
  hasMore: boolean;
  /** To be passed back as `startingAfter`, within an hour and under the same filter. */
  nextCursor: string | null;
}
