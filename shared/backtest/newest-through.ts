// Finds snapshots by time in a list that is in time order.
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { firstIndexFrom } from '#shared/rules/time-order.ts';

/** The number of snapshots at or before a time, epoch milliseconds. */
export function countThrough(snapshots: readonly Snapshot[], time: number): number {
  return firstIndexFrom(snapshots, time + 1, ({ observedAt }) => observedAt);
}

/** The newest snapshot at or before a time, epoch milliseconds. */
export function newestThrough(snapshots: readonly Snapshot[], time: number): Snapshot | undefined {
  return snapshots[countThrough(snapshots, time) - 1];
}
