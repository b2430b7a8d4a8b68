// The versions of a watch: its content before each change, kept for some time, so that an owner can read and restore it.
import type { Watch } from './watch.ts';

/** A watch as it was before a change. `setAside` has the damaged attributes of the stored version only. */
export interface WatchVersion extends Omit<Watch, 'unsettled'> {
  expiresAtEpochSeconds: number;
}

/** The newest versions that can be read and restored; older ones are left to expire. */
export const mostVersions = 50;

/** How long a deleted watch can be restored. */
export const restorableDays = 7;
export const restorableMs = restorableDays * 86_400_000;

/** Until when a deleted watch can be restored, epoch milliseconds; undefined if it is not deleted. */
export function restorableUntil({ removedAt }: Pick<Watch, 'removedAt'>): number | undefined {
  return removedAt === undefined ? undefined : Date.parse(removedAt) + restorableMs;
}
