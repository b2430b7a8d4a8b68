// Finds the service event for a marketplace event id. The listings endpoint returns both ids,
// for at most one pull; the result is stored, so that each id is looked up once.

import type { Stores } from '#shared/dynamo/stores.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { MarketplaceError, NotFoundError } from '#shared/marketplace/errors.ts';
import { type Caps, reservationKey } from '#shared/polling/budget.ts';
import { possiblePulls } from '#shared/polling/failure.ts';
import { lookUpFeed } from '#shared/polling/feed-kinds.ts';
import { decideMarketAccess } from '#shared/polling/market-state.ts';
import { lowerCaps } from '#shared/polling/owner-share.ts';
import { pullOf } from '#shared/polling/pull.ts';
import { timing } from '#shared/timing.ts';
import { type ProblemError, problem } from '../problem.ts';
import { type ChargeLookUp, chargeLookUp } from './look-up-charge.ts';

/** The result of a resolution, and the pulls that it cost. */
export interface Resolution {
  eventId: number;
  pulls: number;
}

/** @throws ProblemError when there is no such event, or it can't be looked up now. */
export type ResolveEvent = (shEventId: number, ownerId: string, now: number) => Promise<Resolution>;

interface ResolveEventDeps {
  stores: Pick<
    Stores,
    'budget' | 'eventIds' | 'marketState' | 'pulls' | 'tallies' | 'windowShares'
  >;
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'listingsPage'>>;
  /** The deployment's caps. */
  pullCaps: Caps;
}

/** The use case: charge the owner, reserve, call, commit the cost. A stored result costs nothing. */
export function createResolveEvent(deps: ResolveEventDeps): ResolveEvent {
  const { stores, readMarketplace, pullCaps } = deps;

  return async function resolveEvent(shEventId, ownerId, now) {
    const known = await stores.eventIds.find(shEventId);
    if (known !== undefined) return { eventId: known, pulls: 0 };
    const reservation = reservationKey(now + timing.claimLeaseMs, 'resolve');
    const settleOwner = await reserve(reservation, ownerId, now);
    try {
      const client = await readMarketplace();
      const ref = { marketplaceEventId: shEventId };
      const deadlineMs = now + timing.apiMarketplaceMs;
      const page = await client.listingsPage(ref, { active: true, limit: 1, deadlineMs });
      const { serviceEventId: eventId, cost } = page;
      const call = { shEventId, eventId: eventId ?? 0, pulls: cost.pulls, now, isLost: false };
      await recordCost(reservation, call);
      await settleOwner(cost.pulls);
      if (eventId === undefined) throw unavailable();
      await stores.eventIds.keep({ shEventId, eventId });
      return { eventId, pulls: cost.pulls };
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      const pulls = possiblePulls(error);
      await recordCost(reservation, { shEventId, eventId: 0, pulls, now, isLost: true });
      await settleOwner(pulls);
      throw refusal(error);
    }
  };

  async function reserve(key: string, ownerId: string, now: number): Promise<ChargeLookUp> {
    const gate = decideMarketAccess(await stores.marketState.read(), lookUpFeed, now);
    if (gate.kind === 'closed') throw unavailable();
    const settings = await stores.budget.settings();
    const caps = lowerCaps(pullCaps, settings);
    const settleOwner = await chargeLookUp({ stores }, { ownerId, caps, settings, now });
    if ((await stores.budget.reserve({ key, wanted: 1, caps }, now)) === 1) return settleOwner;
    await settleOwner(0);
    throw problem(
      'marketplace-unavailable',
      'The pull budget is used up, so this id can’t be looked up now; use event_id, or try again when the next budget period begins',
    );
  }

  async function recordCost(
    reservation: string,
    call: { shEventId: number; eventId: number; pulls: number; now: number; isLost: boolean },
  ): Promise<void> {
    const { shEventId, eventId, pulls, now, isLost } = call;
    await stores.budget.commitReservation(reservation, { reserved: 1, spent: pulls });
    if (pulls === 0) return;
    const row = pullOf({
      ...{ claim: `resolve/${shEventId}/${now}`, eventId, kind: lookUpFeed, pulls },
      ...{ reason: 'resolve_id', state: isLost ? 'unsettled' : 'settled' },
      ...{ pulledAt: now, watches: 1 },
    });
    await stores.pulls.create(row);
  }
}

function refusal(error: MarketplaceError): ProblemError {
  if (!(error instanceof NotFoundError) || error.subject !== 'event') return unavailable();
  const detail = 'is not an event of the marketplace';
  return problem('invalid-request', `sh_event_id ${detail}`, {
    errors: [{ pointer: '#/sh_event_id', detail }],
  });
}

function unavailable(): ProblemError {
  return problem(
    'marketplace-unavailable',
    'This id can’t be looked up now; try again in a minute',
  );
}
