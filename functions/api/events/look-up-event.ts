// Looks up an event whose facts are not stored: in the daily catalog for free, else by asking the marketplace. Its
// stats endpoint answers for at most one pull, and the first poll of the event is then free of it.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { timing } from '#shared/timing.ts';
import { problem } from '../problem.ts';
import type { OwnerCalls } from './owner-charge.ts';
import { createPayCall, type PayCallDeps } from './pay-call.ts';
import type { CatalogSearch } from './search-catalog.ts';

/** @returns the pulls that it cost. @throws ProblemError when there is no such event, or it can't be asked now. */
export type LookUpEvent = (
  eventId: number,
  ownerId: string,
  now: number,
) => Promise<{ pulls: number }>;

interface LookUpEventDeps extends PayCallDeps {
  stores: PayCallDeps['stores'] & Pick<Stores, 'eventFacts'>;
  catalog: Pick<CatalogSearch, 'find'>;
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'statsPage'>>;
}

/** The limit is a fraction of the 500 stats calls a minute; the rest is for polls. */
const checks: OwnerCalls = {
  shared: { name: 'event_check', what: 'checks of event ids', limit: 40, windowSeconds: 60 },
  doing: 'checking an event_id that no search has found',
  refused: 'this event_id can’t be checked',
  instead: 'find the event with GET /v1/events, which is free',
};

/** The use case. */
export function createLookUpEvent(deps: LookUpEventDeps): LookUpEvent {
  const payCall = createPayCall(deps);
  return async function lookUpEvent(eventId, ownerId, now) {
    const known = await deps.catalog.find(eventId, now);
    if (known) {
      // Imported here because it loads the table of time zones, which no other request needs.
      const { factsOf } = await import('#shared/watchlist/catalog-facts.ts');
      await deps.stores.eventFacts.keep(factsOf(known.entry, known.readAt));
      return { pulls: 0 };
    }
    return payCall({
      ...{ ownerId, now, calls: checks, field: 'event_id', kind: metricsFeed },
      ...{ reason: 'check_id', about: eventId, eventId },
      refuseUnknown: () => unknownEvent(eventId),
      call: async () => {
        const client = await deps.readMarketplace();
        const deadlineMs = now + timing.apiMarketplaceMs;
        const { cost } = await client.statsPage(eventId, { limit: 1, deadlineMs });
        const isUncertain = cost.reason === 'possibly_charged';
        return { eventId, pulls: cost.pulls, isUncertain };
      },
    });
  };
}

function unknownEvent(eventId: number) {
  return problem(
    'not-found',
    `The marketplace knows no event ${eventId}; find the event and its id with GET /v1/events`,
    { errors: [{ pointer: '#/event_id', detail: 'is no event of the marketplace' }] },
  );
}
