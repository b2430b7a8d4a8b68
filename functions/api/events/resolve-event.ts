// Finds the service event for a marketplace event id. The listings endpoint returns both ids,
// for at most one pull; the result is stored, so that each id is looked up once.

import type { Stores } from '#shared/dynamo/stores.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { lookUpFeed } from '#shared/polling/feed-kinds.ts';
import { timing } from '#shared/timing.ts';
import type { OwnerCalls } from './owner-charge.ts';
import { callUnavailable, createPayCall, type PayCallDeps } from './pay-call.ts';

/** The result of a resolution, and the pulls that it cost. */
export interface Resolution {
  eventId: number;
  pulls: number;
}

/** @throws ProblemError when there is no such event, or it can't be looked up now. */
export type ResolveEvent = (shEventId: number, ownerId: string, now: number) => Promise<Resolution>;

interface ResolveEventDeps extends PayCallDeps {
  stores: PayCallDeps['stores'] & Pick<Stores, 'eventIds'>;
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'listingsPage'>>;
}

/** The limit is a fraction of the 500 listings calls a minute; the rest is for polls. */
const lookUps: OwnerCalls = {
  shared: {
    name: 'event_look_up',
    what: 'look-ups by sh_event_id',
    limit: 40,
    windowSeconds: 60,
  },
  doing: 'looking up an sh_event_id',
  refused: 'this id can’t be looked up',
  instead: 'use event_id',
};

/** The use case. A stored result costs nothing. */
export function createResolveEvent(deps: ResolveEventDeps): ResolveEvent {
  const { stores, readMarketplace } = deps;
  const payCall = createPayCall(deps);

  return async function resolveEvent(shEventId, ownerId, now) {
    const known = await stores.eventIds.find(shEventId);
    if (known !== undefined) return { eventId: known, pulls: 0 };
    const found = await payCall({
      ...{ ownerId, now, calls: lookUps, field: 'sh_event_id', kind: lookUpFeed },
      ...{ reason: 'resolve_id', about: shEventId, eventId: 0 },
      call: () => lookUp(shEventId, now),
    });
    const { serviceEventId: eventId, pulls } = found;
    if (eventId === undefined) throw callUnavailable(lookUps);
    await stores.eventIds.keep({ shEventId, eventId });
    return { eventId, pulls };
  };

  async function lookUp(shEventId: number, now: number) {
    const client = await readMarketplace();
    const ref = { marketplaceEventId: shEventId };
    const deadlineMs = now + timing.apiMarketplaceMs;
    const page = await client.listingsPage(ref, { active: true, limit: 1, deadlineMs });
    const { serviceEventId, cost } = page;
    return { serviceEventId, eventId: serviceEventId ?? 0, pulls: cost.pulls };
  }
}
