// Searches the marketplace, remembering answers for a while: it allows a few searches a minute, and all
// instances of the API share them. What is found is kept as event facts, so that alerts have names.
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { MarketplaceEvent } from '#shared/marketplace/contract.ts';
import type { Stores } from '#shared/store/stores.ts';
import { problem } from '../problem.ts';
import type { SearchEvents } from '../routes/events.ts';

interface SearchDeps {
  stores: Pick<Stores, 'eventFacts' | 'marketState' | 'requestCounts'>;
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'searchPage'>>;
  now: () => number;
}

interface Remembered {
  events: Promise<MarketplaceEvent[]>;
  at: number;
}

const keptForMs = 10 * 60_000;
/** Answers remembered at once; the oldest goes first. */
const keptAnswers = 200;
/** Time for one search, well within the API's own 10 s. */
const searchMs = 6_000;
/** The catalog of facts.md, until the account was read. */
const usualLimit = { limit: 6, windowSeconds: 60 };
const bucket = 'events_search';

/**
 * A search with a memory per process; the same search asked twice at once goes out once.
 * @throws ProblemError when the minute's searches are used up; nothing is asked then.
 */
export function createSearchEvents(deps: SearchDeps): SearchEvents {
  const answers = new Map<string, Remembered>();

  return function searchEvents(query) {
    const key = query.toLowerCase();
    const at = deps.now();
    const known = answers.get(key);
    if (known && at - known.at < keptForMs) return known.events;
    const asked = { events: ask(deps, query, at), at };
    answers.delete(key);
    answers.set(key, asked);
    const [oldest] = answers.keys();
    if (answers.size > keptAnswers && oldest !== undefined) answers.delete(oldest);
    // A failure is nobody's answer but of those who wait for it.
    asked.events.catch(() => answers.get(key) === asked && answers.delete(key));
    return asked.events;
  };
}

async function ask(
  { stores, readMarketplace }: SearchDeps,
  query: string,
  now: number,
): Promise<MarketplaceEvent[]> {
  await takeSearch(stores, now);
  const client = await readMarketplace();
  const page = await client.searchPage({
    ...(query !== '' && { eventName: query }),
    limit: 50,
    deadlineMs: now + searchMs,
  });
  // Brings the table of time zones along, which no other request needs.
  const { factsOf } = await import('#shared/watchlist/catalog-facts.ts');
  await Promise.all(page.data.map((event) => stores.eventFacts.keep(factsOf(event, now))));
  return page.data;
}

/** Counts one more search of the window under way, over all instances. */
async function takeSearch(
  { marketState, requestCounts }: SearchDeps['stores'],
  now: number,
): Promise<void> {
  const { limit, windowSeconds } = (await marketState.read()).limits[bucket] ?? usualLimit;
  const seconds = now / 1_000;
  const startsAt = Math.floor(seconds / windowSeconds) * windowSeconds;
  if ((await requestCounts.add(bucket, startsAt)) <= limit) return;
  const left = Math.ceil(startsAt + windowSeconds - seconds);
  throw problem(
    'marketplace-unavailable',
    `The marketplace allows ${limit} searches in ${windowSeconds} s; try again in ${left} s`,
    { headers: { 'retry-after': String(left) } },
  );
}
