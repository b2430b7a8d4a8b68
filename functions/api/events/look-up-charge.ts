// Charges an owner for a lookup before the call: against a share of the lookups per minute, against half
// of the day's pulls, and against the owner's own share of pulls if the operator set one.

import type { BudgetSettings } from '#shared/dynamo/budget-shares.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { Caps } from '#shared/polling/budget.ts';
import { ledgerDay } from '#shared/polling/pull.ts';
import { problem } from '../problem.ts';
import { takeSharedCall } from './shared-calls.ts';

interface LookUpChargeDeps {
  stores: Pick<Stores, 'budget' | 'tallies' | 'windowShares'>;
}

/** The owner who pays, the caps and shares, and the time (epoch ms). */
export interface LookUpPayer {
  ownerId: string;
  caps: Caps;
  settings: BudgetSettings;
  now: number;
}

/** Refunds the unspent part of the charged pull. */
export type ChargeLookUp = (spentPulls: number) => Promise<void>;

/** A fraction of the 500 listings calls a minute that the marketplace allows; the rest is for polls. */
const lookUpsShared = {
  name: 'event_look_up',
  what: 'look-ups by sh_event_id',
  limit: 40,
  windowSeconds: 60,
};
const dayMs = 86_400_000;
const micro = 1_000_000;

/**
 * Charges one pull, the upper bound for a lookup.
 * @throws ProblemError when the owner may not spend it now; then nothing was charged.
 */
export async function chargeLookUp(
  { stores }: LookUpChargeDeps,
  payer: LookUpPayer,
): Promise<ChargeLookUp> {
  const { ownerId, caps, settings, now } = payer;
  // Without a budget, the reservation refuses the lookup of every owner.
  if (caps.daily < 1) return async () => {};
  const share = Object.hasOwn(settings.ownerShares, ownerId)
    ? settings.ownerShares[ownerId]
    : undefined;
  const most = share === undefined ? undefined : share * caps.daily;
  if (most !== undefined && most < 1) throw noShare();
  await takeSharedCall(stores.windowShares, lookUpsShared, ownerId, now);
  await takePlaceOfDay(stores, payer);
  // Polls charge only owners who have a share, so lookups do the same.
  if (most === undefined) return async () => {};
  const day = ledgerDay(now);
  if (!(await stores.budget.chargeOwnerWithin(day, ownerId, { pulls: 1, most }))) {
    throw spentToday(now, 'Your share of today’s pulls is used up');
  }
  return async (spentPulls) => {
    const back = 1 - spentPulls;
    if (back !== 0) await stores.budget.chargeOwner(day, ownerId, -back * micro);
  };
}

/** One owner's lookups take at most half of the day's pulls, so that other owners' watches have the rest. */
async function takePlaceOfDay(
  { tallies }: LookUpChargeDeps['stores'],
  { ownerId, caps, now }: LookUpPayer,
): Promise<void> {
  const startsAt = Math.floor(now / dayMs) * dayMs;
  const ceiling = Math.ceil(caps.daily / 2);
  const endsAt = startsAt + dayMs;
  const name = `look-up#${ownerId}`;
  if (await tallies.take({ name, startsAt, endsAt, ceiling })) return;
  throw spentToday(now, 'Your look-ups have used half of the pulls that all owners share in a day');
}

function noShare() {
  return problem(
    'quota-exceeded',
    'Your owner has no share of the pulls, and looking up an sh_event_id costs one; use event_id',
  );
}

function spentToday(now: number, why: string) {
  const seconds = Math.ceil((dayMs - (now % dayMs)) / 1_000);
  return problem(
    'rate-limited',
    `${why}, so this sh_event_id can’t be looked up; use event_id, or try again after 00:00 UTC`,
    { headers: { 'retry-after': String(seconds) } },
  );
}
