// Finds snapshots by time in a list that is in time order.
import type { Snapshot } from '#shared/rules/sources/sources.ts';

/** The number of snapshots at or before a time, epoch milliseconds. */
export function countThrough(snapshots: readonly Snapshot[], time: number): number {
  let [low, high] = [0, snapshots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((snapshots[middle]?.observedAt ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The newest snapshot at or before a time, epoch milliseconds. */
export function newestThrough(snapshots: readonly Snapshot[], time: number): Snapshot | undefined {
  return snapshots[countThrough(snapshots, time) - 1];
}
