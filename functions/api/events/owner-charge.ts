// Charges an owner for a call that the owner asks for, before the call: against a share of such calls per
// minute, against half of the day's pulls, and against the owner's own share of pulls if the operator set one.

import type { BudgetSettings } from '#shared/dynamo/budget-shares.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { dayWindow } from '#shared/moment.ts';
import type { Caps } from '#shared/polling/budget.ts';
import { ledgerDay } from '#shared/polling/pull.ts';
import { problem } from '../problem.ts';
import { type SharedCalls, takeSharedCall } from './shared-calls.ts';

/** A kind of call that an owner can ask for, with the words of its refusals. */
export interface OwnerCalls {
  shared: SharedCalls;
  /** What the call does, after "a pull, and": "looking up an sh_event_id". */
  doing: string;
  /** What can't be done: "this sh_event_id can’t be looked up". */
  refused: string;
  /** What to do instead: "use event_id". */
  instead: string;
}

interface OwnerChargeDeps {
  stores: Pick<Stores, 'budget' | 'tallies' | 'windowShares'>;
}

/** The owner who pays for which call, the caps and shares, and the time (epoch ms). */
export interface CallPayer {
  calls: OwnerCalls;
  ownerId: string;
  caps: Caps;
  settings: BudgetSettings;
  now: number;
}

/** Refunds the unspent part of the charged pull. */
export type SettleOwner = (spentPulls: number) => Promise<void>;

const micro = 1_000_000;

/**
 * Charges one pull, the upper bound of a call.
 * @throws ProblemError when the owner may not spend it now; then nothing was charged.
 */
export async function chargeOwner(
  { stores }: OwnerChargeDeps,
  payer: CallPayer,
): Promise<SettleOwner> {
  const { calls, ownerId, caps, settings, now } = payer;
  // Without a budget, the reservation refuses the call of every owner.
  if (caps.daily < 1) return async () => {};
  const share = Object.hasOwn(settings.ownerShares, ownerId)
    ? settings.ownerShares[ownerId]
    : undefined;
  const most = share === undefined ? undefined : share * caps.daily;
  if (most !== undefined && most < 1) throw noShare(calls);
  await takeSharedCall(stores.windowShares, calls.shared, ownerId, now);
  await takePlaceOfDay(stores, payer);
  // Polls charge only owners who have a share, so these calls do the same.
  if (most === undefined) return async () => {};
  const day = ledgerDay(now);
  if (!(await stores.budget.chargeOwnerWithin(day, ownerId, { pulls: 1, most }))) {
    throw spentToday(calls, now, 'Your share of today’s pulls is used up');
  }
  return async (spentPulls) => {
    const back = 1 - spentPulls;
    if (back !== 0) await stores.budget.chargeOwner(day, ownerId, -back * micro);
  };
}

/** One owner's calls take at most half of the day's pulls, so that other owners' watches have the rest. */
async function takePlaceOfDay(
  { tallies }: OwnerChargeDeps['stores'],
  { calls, ownerId, caps, now }: CallPayer,
): Promise<void> {
  const ceiling = Math.ceil(caps.daily / 2);
  const name = `look-up#${ownerId}`;
  if (await tallies.take({ name, ...dayWindow(now), ceiling })) return;
  throw spentToday(
    calls,
    now,
    'Your look-ups and purchases have used half of the pulls that all owners share in a day',
  );
}

function noShare({ doing, instead }: OwnerCalls) {
  return problem(
    'quota-exceeded',
    `Your owner has no share of the pulls, and ${doing} costs one; ${instead}`,
  );
}

function spentToday({ refused, instead }: OwnerCalls, now: number, why: string) {
  const seconds = Math.ceil((dayWindow(now).endsAt - now) / 1_000);
  return problem(
    'rate-limited',
    `${why}, so ${refused}; ${instead}, or try again after 00:00 UTC`,
    { headers: { 'retry-after': String(seconds) } },
  );
}
