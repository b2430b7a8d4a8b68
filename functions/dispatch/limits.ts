// The limits of one dispatch run: the caps as lowered by the operator, and the owners who have
// used up their share.

import type { BudgetStore } from '#shared/dynamo/budget.ts';
import type { Caps } from '#shared/polling/budget.ts';
import { exhaustedOwners, lowerCaps, type OwnerSpending } from '#shared/polling/owner-share.ts';
import { ledgerDay } from '#shared/polling/pull.ts';

export interface DispatchLimits extends OwnerSpending {
  caps: Caps;
}

/** Reads the limits at a time, epoch milliseconds. */
export type ReadLimits = (now: number) => Promise<DispatchLimits>;

/** @returns a reader of the limits under the deployment's caps. */
export function createLimits(
  budget: Pick<BudgetStore, 'settings' | 'spentByOwner'>,
  deployed: Caps,
): ReadLimits {
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
