/**
 * Decides whether to retry a failed attempt, and after what wait, from an error, headers and a
 * time. Pure: sleeps and sends nothing.
 */
import type { Repeat } from './endpoints.ts';
import { type MarketplaceError, NetworkError, RateLimitedError, ServerError } from './errors.ts';
import type { Limits } from './limits.ts';

/** The date format of HTTP headers. */
export const IMF_FIXDATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** 408 and 425 say that the request was not processed. */
const UNSERVED_STATUSES: ReadonlySet<number> = new Set([408, 425]);
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 502, 503, 504]);

/**
 * Reads a `Retry-After` header: seconds (a fraction is rounded up) or an HTTP-date. A date in the
 * past is 0. Anything else, such as two headers joined by a comma, is undefined; the caller then
 * uses its own backoff.
 *
 * @param nowMs epoch milliseconds
 * @returns milliseconds from now, at most `capMs`
 */
export function parseRetryAfter(
  value: string | null,
  nowMs: number,
  capMs: number,
): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(capMs, Math.ceil(Number(text)) * 1000);
  if (!IMF_FIXDATE.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.min(capMs, Math.max(0, atMs - nowMs));
}

/**
 * Full jitter: uniform from 0 to base × 2^attempt, within the floor and the cap.
 *
 * @param attempt 0 for the first failure
 * @param random from [0, 1)
 */
export function backoffMs(attempt: number, random: number, limits: Limits): number {
  const ceiling = Math.min(limits.backoffCapMs, limits.backoffBaseMs * 2 ** attempt);
  return Math.max(limits.minDelayMs, Math.round(random * ceiling));
}

/** Whether a retry can help without an extra charge. */
export function isRepeatable(error: MarketplaceError, repeat: Repeat): boolean {
  if (repeat === 'never') return false;
  if (error instanceof RateLimitedError) return error.status === 429;
  if (error instanceof NetworkError && error.fault === 'deadline') return false;
  if (repeat === 'charged_again') return wasCertainlyNotServed(error);
  if (error instanceof NetworkError) return true;
  return error instanceof ServerError && isTransient(error.status);
}

function wasCertainlyNotServed(error: MarketplaceError): boolean {
  if (error instanceof NetworkError) return error.fault === 'unreachable';
  return error.status !== undefined && UNSERVED_STATUSES.has(error.status);
}

/** A ServerError with a 2xx status is an unreadable answer: HTML, empty or truncated. */
function isTransient(status: number | undefined): boolean {
  if (status === undefined) return false;
  return TRANSIENT_STATUSES.has(status) || (status >= 200 && status < 300);
}

export interface RetryQuestion {
  error: MarketplaceError;
  /** 0 for the first failure. */
  attempt: number;
  repeat: Repeat;
  /** From [0, 1). */
  random: number;
  limits: Limits;
}

/**
 * The wait before the next attempt, or undefined to give up. The server's own wait gets no jitter
 * and is never shortened.
 */
export function decideRetry(question: RetryQuestion): number | undefined {
  const { error, attempt, repeat, random, limits } = question;
  if (attempt >= limits.maxRetries) return undefined;
  if (!isRepeatable(error, repeat)) return undefined;
  return Math.max(backoffMs(attempt, random, limits), askedWaitMs(error));
}

function askedWaitMs(error: MarketplaceError): number {
  if (error instanceof RateLimitedError) return error.retryAfterMs;
  return error instanceof ServerError ? (error.retryAfterMs ?? 0) : 0;
}
