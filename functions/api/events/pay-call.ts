// Makes a call to the marketplace that an owner asked for: charge the owner, reserve a pull, call, record the
// cost. It never costs more than one pull.
import type { Stores } from '#shared/dynamo/stores.ts';
import { MarketplaceError, NotFoundError } from '#shared/marketplace/errors.ts';
import { type Caps, reservationKey } from '#shared/polling/budget.ts';
import { possiblePulls } from '#shared/polling/failure.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { decideMarketAccess } from '#shared/polling/market-state.ts';
import { lowerCaps } from '#shared/polling/owner-share.ts';
import { pullOf } from '#shared/polling/pull.ts';
import { askedBy } from '#shared/polling/pull-sharers.ts';
import { timing } from '#shared/timing.ts';
import { type ProblemError, problem } from '../problem.ts';
import { chargeOwner, type OwnerCalls, type SettleOwner } from './owner-charge.ts';

export interface PayCallDeps {
  stores: Pick<Stores, 'budget' | 'marketState' | 'pulls' | 'tallies' | 'windowShares'>;
  /** The deployment's caps. */
  pullCaps: Caps;
}

export interface WantedCall<Answer> {
  ownerId: string;
  /** Epoch milliseconds. */
  now: number;
  calls: OwnerCalls;
  /** The field of the request that names the event. */
  field: 'event_id' | 'sh_event_id';
  kind: FeedKind;
  /** Names the call in the ledger: the reason, and what it is about. */
  reason: 'resolve_id' | 'check_id' | 'buy_history';
  about: number;
  /** The event of a call that failed, if it is known before. */
  eventId: number;
  /** The refusal if the marketplace has no such event. @default a fault of `field` */
  refuseUnknown?: () => ProblemError;
  /** `isUncertain`: the pulls are an upper bound. */
  call: () => Promise<Answer & { eventId: number; pulls: number; isUncertain?: boolean }>;
}

export type PayCall = <Answer>(wanted: WantedCall<Answer>) => Promise<Answer & { pulls: number }>;

/** @throws ProblemError when it may not be made now, or fails; then its cost is recorded. */
export function createPayCall({ stores, pullCaps }: PayCallDeps): PayCall {
  return async function payCall(wanted) {
    const { now, reason } = wanted;
    const reservation = reservationKey(now + timing.claimLeaseMs, reason);
    const settleOwner = await reserve(reservation, wanted);
    try {
      const answer = await wanted.call();
      const { eventId, pulls, isUncertain = false } = answer;
      await recordCost(reservation, wanted, { eventId, pulls, isUncertain });
      await settleOwner(pulls);
      return answer;
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      const pulls = possiblePulls(error);
      await recordCost(reservation, wanted, { eventId: wanted.eventId, pulls, isUncertain: true });
      await settleOwner(pulls);
      throw refusalOf(error, wanted);
    }
  };

  async function reserve(
    key: string,
    { ownerId, now, calls, kind }: WantedCall<unknown>,
  ): Promise<SettleOwner> {
    const gate = decideMarketAccess(await stores.marketState.read(), kind, now);
    if (gate.kind === 'closed') throw callUnavailable(calls);
    const settings = await stores.budget.settings();
    const caps = lowerCaps(pullCaps, settings);
    const settleOwner = await chargeOwner({ stores }, { calls, ownerId, caps, settings, now });
    if ((await stores.budget.reserve({ key, wanted: 1, caps }, now)) === 1) return settleOwner;
    await settleOwner(0);
    throw problem(
      'marketplace-unavailable',
      `The pull budget is used up, so ${calls.refused} now; ${calls.instead}, or try again when the next budget period begins`,
    );
  }

  async function recordCost(
    reservation: string,
    { ownerId, now, kind, reason, about }: WantedCall<unknown>,
    { eventId, pulls, isUncertain }: { eventId: number; pulls: number; isUncertain: boolean },
  ): Promise<void> {
    await stores.budget.commitReservation(reservation, { reserved: 1, spent: pulls });
    if (pulls === 0) return;
    const row = pullOf({
      ...{ claim: `${reason}/${about}/${now}`, eventId, kind, pulls, reason },
      ...{ state: isUncertain ? 'unsettled' : 'settled', pulledAt: now, watches: 1 },
      sharers: askedBy(ownerId),
    });
    await stores.pulls.create(row);
  }
}

function refusalOf(
  error: MarketplaceError,
  { calls, field, refuseUnknown }: WantedCall<unknown>,
): ProblemError {
  if (!(error instanceof NotFoundError) || error.subject !== 'event') {
    return callUnavailable(calls);
  }
  if (refuseUnknown) return refuseUnknown();
  const detail = 'is not an event of the marketplace';
  return problem('invalid-request', `${field} ${detail}`, {
    errors: [{ pointer: `#/${field}`, detail }],
  });
}

/** The marketplace can't be called at the moment. */
export function callUnavailable({ refused }: OwnerCalls) {
  return problem('marketplace-unavailable', `${sentenceCase(refused)} now; try again in a minute`);
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
