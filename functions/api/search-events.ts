// Searches the marketplace, remembering answers for a while: it allows six searches a minute.
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { MarketplaceEvent } from '#shared/marketplace/contract.ts';
import type { SearchEvents } from './routes/events.ts';

const keptForMs = 10 * 60_000;
/** Answers remembered at once; the oldest goes first. */
const keptAnswers = 200;
/** Time for one search, well within the API's own 10 s. */
const searchMs = 6_000;

/** A search with a memory per process. */
export function createSearchEvents(
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'searchPage'>>,
  now: () => number,
): SearchEvents {
  const answers = new Map<string, { events: MarketplaceEvent[]; at: number }>();

  return async function searchEvents(query) {
    const key = query.toLowerCase();
    const known = answers.get(key);
    if (known && now() - known.at < keptForMs) return known.events;
    const client = await readMarketplace();
    const page = await client.searchPage({
      ...(query !== '' && { eventName: query }),
      limit: 50,
      deadlineMs: now() + searchMs,
    });
    answers.delete(key);
    answers.set(key, { events: page.data, at: now() });
    const [oldest] = answers.keys();
    if (answers.size > keptAnswers && oldest !== undefined) answers.delete(oldest);
    return page.data;
  };
}
