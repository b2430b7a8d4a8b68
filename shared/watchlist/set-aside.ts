// The record of a permanent fault that was set aside. It is stored on the trigger, watch or feed with the
// fault, so that everything else continues and the owner sees why this item is silent. Decides when to retry.
import { isMoment } from '../moment.ts';

/** Times are epoch milliseconds. */
export interface SetAside {
  /** The fault as one plain sentence for the owner; no secret, no stack. */
  reason: string;
  /** When the fault first occurred. */
  since: number;
  /** How often the fault has occurred since then. */
  times: number;
  /** No retry before then, unless the cause of the fault changes. */
  retryAt: number;
  /** The release in which the fault occurred; another release retries at once. */
  release: string;
}

/**
 * The faults recorded on a stored item: one on a trigger or watch, one per kind of fault on a feed. An item
 * without the attribute, or with another shape, has none.
 */
export function faultsOn(item: object | undefined): SetAside[] {
  if (item === undefined || !('setAside' in item)) return [];
  const { setAside: recorded } = item;
  if (isSetAside(recorded)) return [recorded];
  return typeof recorded === 'object' && recorded !== null
    ? Object.values(recorded).filter(isSetAside)
    : [];
}

/** Whether a stored value is a valid record. */
export function isSetAside(value: unknown): value is SetAside {
  if (typeof value !== 'object' || value === null) return false;
  if (!('reason' in value && 'since' in value && 'retryAt' in value)) return false;
  const { reason, since, retryAt } = value;
  return typeof reason === 'string' && isMoment(since) && isMoment(retryAt);
}

const firstRetryMs = 15 * 60_000;
const longestRetryMs = 24 * 3_600_000;

/** The record after a fault: each repeat in a row doubles the wait, from 15 minutes to a day. */
export function setAside(
  before: SetAside | undefined,
  { reason, release, now }: { reason: string; release: string; now: number },
): SetAside {
  const times = (before?.times ?? 0) + 1;
  const waitMs = Math.min(firstRetryMs * 2 ** Math.min(times - 1, 20), longestRetryMs);
  return { reason, since: before?.since ?? now, times, retryAt: now + waitMs, release };
}

/** Whether this release should retry the item now. */
export function isToBeRetried(fault: SetAside, release: string, now: number): boolean {
  return fault.release !== release || now >= fault.retryAt;
}
