// The retry schedule of deliveries: the example schedule of Standard Webhooks, with jitter.

/**
 * The wait before each retry, in milliseconds. Cumulative: 5 s, 5 min, 35 min, 2 h 35 min,
 */
const waitsMs = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000,
];

/** A delivery that was only put off, by a throttle or a breaker, is given up after this time too. */
export const longestWayMs = 76 * 3_600_000;

export type RetryDecision =
  | { kind: 'retry'; afterMs: number }
  | { kind: 'give_up'; reason: 'attempts_exhausted' };

/**
 * Decides about the next attempt.
 * @param attempts attempts made so far, from 1.
 * @param serverWaitMs what the receiver asked for; never shortened.
 * @param random a number in [0, 1); adds up to 10 % to our own wait, so that retries spread.
 */
export function decideRetry(
  attempts: number,
  random: number,
  serverWaitMs: number | undefined = undefined,
): RetryDecision {
  const waitMs = waitsMs[attempts - 1];
  if (waitMs === undefined) return { kind: 'give_up', reason: 'attempts_exhausted' };
  const jitteredMs = Math.round(waitMs * (1 + random / 10));
  return { kind: 'retry', afterMs: Math.max(jitteredMs, serverWaitMs ?? 0) };
}
