// Searches the marketplace, remembering answers for a while: it allows a few searches a minute, and all
// instances of the API share them. What is found is kept as event facts, so that alerts have names.

import type { Stores } from '#shared/dynamo/stores.ts';
import { reasonOf, reportFault } from '#shared/lambda/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { MarketplaceEvent } from '#shared/marketplace/reading.ts';
import { timing } from '#shared/timing.ts';
import { ProblemError } from '../problem.ts';
import { takeSharedCall } from './shared-calls.ts';

/** Future events whose name has `query` in it; 50 at the most. */
export type SearchEvents = (query: string, ownerId: string) => Promise<MarketplaceEvent[]>;

interface SearchDeps {
  stores: Pick<Stores, 'eventFacts' | 'marketState' | 'windowShares'>;
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'searchPage'>>;
  now: () => number;
}

interface Remembered {
  events: Promise<MarketplaceEvent[]>;
  at: number;
  /** Whose share of the searches it was counted to. */
  ownerId: string;
}

const keptForMs = 10 * 60_000;
/** Answers remembered at once; the oldest goes first. */
const keptAnswers = 200;
/** The catalog of facts.md, until the account was read. */
const usualLimit = { limit: 6, windowSeconds: 60 };
const bucket = 'events_search';

/**
 * A search with a memory per process; the same search asked twice at once goes out once.
 * @throws ProblemError when the owner's share of the minute's searches is used up, or all searches are.
 */
export function createSearchEvents(deps: SearchDeps): SearchEvents {
  const answers = new Map<string, Remembered>();

  function start(query: string, ownerId: string, at: number): Promise<MarketplaceEvent[]> {
    const key = query.toLowerCase();
    const asked = { events: ask(deps, { query, ownerId, now: at }), at, ownerId };
    answers.delete(key);
    answers.set(key, asked);
    const [oldest] = answers.keys();
    if (answers.size > keptAnswers && oldest !== undefined) answers.delete(oldest);
    // Failures are not cached.
    asked.events.catch(() => answers.get(key) === asked && answers.delete(key));
    return asked.events;
  }

  return async function searchEvents(query, ownerId) {
    const at = deps.now();
    const known = answers.get(query.toLowerCase());
    if (!known || at - known.at >= keptForMs) return start(query, ownerId, at);
    try {
      return await known.events;
    } catch (error) {
      // Another owner's used-up share is not this owner's.
      if (known.ownerId === ownerId || !isOwnLimit(error)) throw error;
      return start(query, ownerId, at);
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
  // Brings the table of time zones along, which no other request needs.
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
