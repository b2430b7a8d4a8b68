// The longest time without an alert within the covered time.
import type { Covered } from './per-week.ts';

/**
 * @param times of the alerts, in time order; epoch milliseconds.
 * @returns milliseconds, from the first or to the last snapshot included.
 */
export function longestSilence(times: readonly number[], { from, through }: Covered): number {
  let longest = 0;
  let last = from;
  for (const time of [...times, through]) {
    longest = Math.max(longest, time - last);
    last = time;
  }
  return longest;
}
