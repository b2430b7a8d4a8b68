// The limits of one run: the caps as lowered by the operator, and the owners who have used up their share.
import type { Caps } from './budget.ts';
import { exhaustedOwners, lowerCaps, type OwnerSpending } from './owner-share.ts';
import { ledgerDay } from './pull.ts';

export interface SpendingLimits extends OwnerSpending {
  caps: Caps;
}

/** Reads the limits at a time, epoch milliseconds. */
export type ReadLimits = (now: number) => Promise<SpendingLimits>;

interface ReadLimitsDeps {
  settings: () => Promise<{
    daily?: number | undefined;
    monthly?: number | undefined;
    ownerShares: Readonly<Record<string, number>>;
  }>;
  spentByOwner: (day: string, ownerId: string) => Promise<number>;
}

/** @returns a reader of the limits under the deployment's caps. */
export function createLimits(budget: ReadLimitsDeps, deployed: Caps): ReadLimits {
  return async function readLimits(now) {
    const settings = await budget.settings();
    const caps = lowerCaps(deployed, settings);
    const owners = Object.keys(settings.ownerShares);
    const day = ledgerDay(now);
    const spent = await Promise.all(
      owners.map(async (ownerId) => [ownerId, await budget.spentByOwner(day, ownerId)] as const),
    );
    return { caps, ...exhaustedOwners(settings.ownerShares, new Map(spent), caps) };
  };
}
