// The least waiting of one event's alerts for each number of pulls: a dynamic program over the refreshes with alerts.
// A pull right behind such a refresh tells everything before it, so no other time is worth a pull.
import type { AlertedEvent } from './yardsticks.ts';

/** @returns the total waiting in milliseconds with 0, 1, 2, … pulls, until there is none. */
export function optimalWaits({ refreshes, to }: AlertedEvent): number[] {
  const waitBetween = waitingOf(refreshes);
  const count = refreshes.length;
  /** The waiting up to each refresh, at which the last of the pulls so far is. */
  let best = Array.from({ length: count + 1 }, (_, end) => (end === 0 ? 0 : Infinity));
  const untilEnd = () =>
    best.reduce(
      (least, waited, from) => Math.min(least, waited + waitBetween(from, count, to)),
      Infinity,
    );
  const waits = [untilEnd()];
  while (waits.length <= count && (waits.at(-1) ?? 0) > 0) {
    best = withOneMore(best, (from, end) => waitBetween(from, end, refreshes[end - 1]?.at ?? to));
    waits.push(untilEnd());
  }
  return waits;
}

/** @returns the waiting of the alerts of the refreshes `from` to `end` (exclusive) that are told at a time. */
function waitingOf(refreshes: AlertedEvent['refreshes']) {
  const origin = refreshes[0]?.at ?? 0;
  const counts = [0];
  const times = [0];
  for (const { at, alerts } of refreshes) {
    counts.push((counts.at(-1) ?? 0) + alerts);
    times.push((times.at(-1) ?? 0) + alerts * (at - origin));
  }
  return (from: number, end: number, at: number) => {
    const alerts = (counts[end] ?? 0) - (counts[from] ?? 0);
    return alerts * (at - origin) - ((times[end] ?? 0) - (times[from] ?? 0));
  };
}

/**
 * The waiting with one more pull. The best place of the pull before moves only later as the last one does, so each
 * half of the places searches only its part.
 */
function withOneMore(
  best: readonly number[],
  waitBetween: (from: number, end: number) => number,
): number[] {
  const next = Array<number>(best.length).fill(Infinity);
  const search = (low: number, high: number, firstFrom: number, lastFrom: number): void => {
    if (low > high) return;
    const end = (low + high) >> 1;
    let place = firstFrom;
    for (let from = firstFrom; from <= Math.min(lastFrom, end - 1); from += 1) {
      const waited = (best[from] ?? Infinity) + waitBetween(from, end);
      if (waited < (next[end] ?? Infinity)) [next[end], place] = [waited, from];
    }
    search(low, end - 1, firstFrom, place);
    search(end + 1, high, place, lastFrom);
  };
  search(1, best.length - 1, 0, best.length - 1);
  return next;
}
