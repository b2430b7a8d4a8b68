// Asks the marketplace's free search for the facts of one event again, for accounts without the daily
// catalog, because an event that should be over may have been postponed. Once a run, as searches are few.

import type { EventFactsStore } from '#shared/dynamo/event-facts.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { timing } from '#shared/timing.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';

interface AskFactsDeps {
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'searchPage'>>;
  eventFacts: Pick<EventFactsStore, 'keep'>;
}

/** @returns the current facts; undefined when this period's search has been used already. */
export type AskFacts = (known: EventFacts, now: number) => Promise<EventFacts | undefined>;

const eventsPerPage = 200;

/** The use case. The search returns future events only; an event that is not found keeps its date. */
export function createAskFacts({ readMarketplace, eventFacts }: AskFactsDeps): AskFacts {
  let askedAt = Number.NEGATIVE_INFINITY;
  return async function askFacts(known, now) {
    // The whole account has six searches a minute, so reconcile uses one a run.
    if (now - askedAt < timing.askFactsEveryMs) return undefined;
    askedAt = now;
    // Imported here because it loads the table of time zones, which no other run needs.
    const { factsOf } = await import('#shared/watchlist/catalog-facts.ts');
    const client = await readMarketplace();
    const { data } = await client.searchPage({ eventName: known.name, limit: eventsPerPage });
    const found = data.find(({ event_id: eventId }) => eventId === known.eventId);
    const facts = found ? factsOf(found, now) : { ...known, updatedAt: now };
    await eventFacts.keep(facts);
    return facts;
  };
}
