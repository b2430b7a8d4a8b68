/**
 * The two clocks of the service: the market's (observations, and which events are in the future)
 * and the real one (cursors, rate limits, jobs, billing periods).
 */

/** Returns the current time in epoch milliseconds. */
export type Clock = () => number;

export interface Clocks {
  /** Time of the observed market, epoch milliseconds. */
  market: Clock;
  /** Time of the service itself, epoch milliseconds. */
  real: Clock;
}

/** Both clocks read the machine's time. */
export const machineClocks: Clocks = { market: Date.now, real: Date.now };

/**
 * A market clock that shows `from` at the real time `since` and then runs `speed` times as fast. At
 * speed 1 with `from` equal to `since` it never runs ahead of the real clock.
 */
export function createMarketClock(o: {
  real: Clock;
  since: number;
  from: number;
  speed: number;
}): Clock {
  return () => Math.floor(o.from + (o.real() - o.since) * o.speed);
}

let lastIso = { epochMs: 0, text: '1970-01-01T00:00:00.000Z' };

/**
 * ISO 8601 UTC datetime of an epoch-milliseconds instant. Caches the last one, because most rows of
 * a page have the time of one refresh.
 */
export function toIso(epochMs: number): string {
  if (lastIso.epochMs !== epochMs) {
    lastIso = { epochMs, text: new Date(epochMs).toISOString() };
  }
  return lastIso.text;
}

let lastHttpDate = { second: Number.NaN, text: '' };

/** The `Date` header of an instant, in whole seconds (RFC 9110). Caches the last second's. */
export function toHttpDate(epochMs: number): string {
  const second = Math.floor(epochMs / 1000);
  if (lastHttpDate.second !== second) {
    lastHttpDate = { second, text: new Date(second * 1000).toUTCString() };
  }
  return lastHttpDate.text;
}

/** Calendar date (UTC, YYYY-MM-DD) of an epoch-milliseconds instant. */
export function toDate(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}
