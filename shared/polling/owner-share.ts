// Owners' shares of the daily cap, and which owners have used up theirs. Optional: without a share, only the
// cap limits an owner.
import type { Caps } from './budget.ts';

/** Owners whose feeds may cost no more pulls today. */
export interface OwnerSpending {
  exhausted: ReadonlySet<string>;
}

/**
 * The owners whose pulls today have reached their share.
 * @param shares fractions of the daily cap, by owner.
 * @param spent pulls of today, by owner.
 */
export function exhaustedOwners(
  shares: Readonly<Record<string, number>>,
  spent: ReadonlyMap<string, number>,
  caps: Caps,
): OwnerSpending {
  const exhausted = Object.entries(shares)
    .filter(([ownerId, share]) => (spent.get(ownerId) ?? 0) >= share * caps.daily)
    .map(([ownerId]) => ownerId);
  return { exhausted: new Set(exhausted) };
}

/** The deployment's caps, or the operator's lower ones; the API can't raise them. */
export function lowerCaps(
  deployed: Caps,
  wanted: { daily?: number | undefined; monthly?: number | undefined },
): Caps {
  return {
    daily: Math.min(deployed.daily, wanted.daily ?? deployed.daily),
    monthly: Math.min(deployed.monthly, wanted.monthly ?? deployed.monthly),
  };
}
