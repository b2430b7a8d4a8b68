// A look at a feed: the successful poll that brought a snapshot, stored in the snapshot's own write, so that it
// costs no write of its own. With it, a later question can be answered: when was this price seen, and why not
// earlier.
import type { Feed } from './feed.ts';

/** Times are epoch milliseconds. */
export interface Look {
  at: number;
  /** The successful poll before it; absent before the first. */
  before?: number | undefined;
  /** Why the poll came when it came, as the feed said (`Feed.nextReason`). */
  reason?: string | undefined;
  /** Why that time was worth a pull, in words, if the budget gave it. */
  why?: string | undefined;
  /** Polls that failed since the successful one before; absent for none. */
  failures?: number | undefined;
}

/** The reason of a poll that came late because a cap, or the shares of all its owners, were used up. */
export const heldByBudget = 'held_by_budget';

/**
 * The look of a poll that was sent at a time; the feed is as it was before. A feed that was due and had to wait for a
 * cap names that as its reason.
 */
export function lookOf(
  {
    lastPolledAt,
    nextReason,
    nextWhy,
    failures,
  }: Pick<Feed, 'lastPolledAt' | 'nextReason' | 'nextWhy' | 'failures'>,
  { at, isHeldByBudget = false }: { at: number; isHeldByBudget?: boolean | undefined },
): Look {
  const reason = isHeldByBudget ? heldByBudget : nextReason;
  return {
    at,
    ...(lastPolledAt !== undefined && { before: lastPolledAt }),
    ...(reason !== undefined && { reason }),
    ...(nextWhy !== undefined && { why: nextWhy }),
    ...(failures > 0 && { failures }),
  };
}

/** Whether a stored value is a look. */
export function isLook(value: unknown): value is Look {
  if (typeof value !== 'object' || value === null) return false;
  const { at, before, reason, why, failures } = value as Record<string, unknown>;
  const areOptional = [before, failures].every((each) => each === undefined || isNumber(each));
  const areTexts = [reason, why].every((each) => each === undefined || typeof each === 'string');
  return isNumber(at) && areOptional && areTexts;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
