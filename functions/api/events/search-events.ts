// Searches the marketplace and caches the answers: it allows a few searches a minute, and all
// instances of the API share them. Events found are stored as event facts, so that alerts have names.

import type { Stores } from '#shared/dynamo/stores.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { createCache } from '#shared/lambda/cache.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { MarketplaceEvent } from '#shared/marketplace/reading.ts';
import { timing } from '#shared/timing.ts';
import { ProblemError } from '../problem.ts';
import { takeSharedCall } from './shared-calls.ts';

/** Future events whose name contains `query`; at most 50. */
export type SearchEvents = (query: string, ownerId: string) => Promise<MarketplaceEvent[]>;

interface SearchDeps {
  stores: Pick<Stores, 'eventFacts' | 'marketState' | 'windowShares'>;
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'searchPage'>>;
  now: () => number;
}

const keptForMs = 10 * 60_000;
/** Maximum number of cached answers; the oldest is dropped first. */
const keptAnswers = 200;
/** The catalog of facts.md, used until the account has been read. */
const usualLimit = { limit: 6, windowSeconds: 60 };
const bucket = 'events_search';

/**
 * A search with a cache per process; concurrent equal searches share one call.
 * @throws ProblemError when the owner's share of the minute's searches is used up, or the whole minute's.
 */
export function createSearchEvents(deps: SearchDeps): SearchEvents {
  const { now } = deps;
  const options = { forMs: keptForMs, mostValues: keptAnswers, now };
  const answers = createCache<string, MarketplaceEvent[]>(options);

  return async function searchEvents(query, ownerId) {
    const key = query.toLowerCase();
    let isCountedToOwner = false;
    const search = () => {
      isCountedToOwner = true;
      return ask(deps, { query, ownerId, now: now() });
    };
    for (;;) {
      try {
        return await answers.read(key, search);
      } catch (error) {
        // Another owner began this search and has no share left; this owner may still have one.
        if (isCountedToOwner || !isOwnLimit(error)) throw error;
      }
    }
  };
}

function isOwnLimit(error: unknown): boolean {
  return error instanceof ProblemError && error.type === 'rate-limited';
}

async function ask(
  { stores, readMarketplace }: SearchDeps,
  { query, ownerId, now }: { query: string; ownerId: string; now: number },
): Promise<MarketplaceEvent[]> {
  const limit = (await stores.marketState.read()).limits[bucket] ?? usualLimit;
  const searches = { ...limit, name: bucket, what: 'searches' };
  await takeSharedCall(stores.windowShares, searches, ownerId, now);
  const client = await readMarketplace();
  const page = await client.searchPage({
    ...(query !== '' && { eventName: query }),
    limit: 50,
    deadlineMs: now + timing.apiMarketplaceMs,
  });
  // Imported here because it loads the table of time zones, which no other request needs.
  const { factsOf } = await import('#shared/watchlist/catalog-facts.ts');
  await Promise.all(
    page.data.map(async (event) => {
      try {
        await stores.eventFacts.keep(factsOf(event, now));
      } catch (error) {
        if (isTransient(error)) throw error;
        const ids = { eventId: event.event_id };
        reportFault({ thing: 'catalog_row', reason: reasonOf(error), ids, error });
      }
    }),
  );
  return page.data;
}
