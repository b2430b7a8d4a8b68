// Finds events by the marketplace's own search, which allows a few calls a minute for all owners: its answers
// are cached, and each owner has a share of the calls. Events found are stored as event facts.
import type { Stores } from '#shared/dynamo/stores.ts';
import { createCache } from '#shared/lambda/cache.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { CursorError } from '#shared/marketplace/errors.ts';
import type { MarketplaceEvent } from '#shared/marketplace/reading/search.ts';
import type { SearchFilter } from '#shared/marketplace/search.ts';
import { timing } from '#shared/timing.ts';
import { isMeant } from '#shared/watchlist/event-question.ts';
import { invalidFaults, ProblemError } from '../problem.ts';
import type { EventSearch, EventsPage } from './found-events.ts';
import { marketSteps } from './market-steps.ts';
import { takeSharedCall } from './shared-calls.ts';

/**
 * @throws ProblemError when the owner's share of the minute's searches is used up, or the whole minute's;
 * MarketplaceError when the marketplace can't be asked.
 */
export type SearchMarket = (search: EventSearch) => Promise<EventsPage>;

export interface SearchMarketDeps {
  stores: Pick<Stores, 'marketState' | 'windowShares'>;
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'searchPage'>>;
  now: () => number;
}

const keptForMs = 10 * 60_000;
/** Maximum number of cached answers, 0.2 MB each at most; the oldest is dropped first. */
const keptAnswers = 100;
/** The catalog of facts.md, used until the account has been read. */
const usualLimit = { limit: 6, windowSeconds: 60 };
const bucket = 'events_search';
/** The largest page: fewest calls. */
const eventsPerPage = 200;
/** One search takes at most this many calls; the next page continues. */
const mostCalls = 3;

interface MarketPage {
  events: MarketplaceEvent[];
  cursor: string | null;
  readAt: number;
}

/** The place where a page ends: the step, the marketplace's page, the row in it, whether the step found any. */
interface Place {
  step: number;
  row: number;
  hasFound: boolean;
  cursor: string;
}

/** A place as a cursor has it. */
export const marketPlace = /^m [0-2] \d{1,3} [01] [\x21-\x7e]{0,600}$/;

/** The search with a cache per process; concurrent equal calls share one. */
export function createSearchMarket(deps: SearchMarketDeps): SearchMarket {
  const options = { forMs: keptForMs, mostValues: keptAnswers, now: deps.now };
  const pages = createCache<string, MarketPage>(options);

  async function readPage(filter: SearchFilter, cursor: string, ownerId: string) {
    let isCountedToOwner = false;
    const ask = () => {
      isCountedToOwner = true;
      return askMarket(deps, { filter, cursor, ownerId });
    };
    for (;;) {
      try {
        return await pages.read(JSON.stringify([filter, cursor]), ask);
      } catch (error) {
        // Another owner began this call and has no share left; this owner may still have one.
        if (isCountedToOwner || !isOwnLimit(error)) throw error;
      }
    }
  }

  return async function searchMarket({ question, ownerId, limit, after, now }) {
    const steps = marketSteps(question, new Date(now).toISOString().slice(0, 10));
    const place = after === undefined ? firstPlace : readPlace(after);
    const events: MarketplaceEvent[] = [];
    let readAt = now;
    for (let at: Place | undefined = place, calls = 0; ; calls += 1) {
      const step = steps[at.step];
      if (!step) return { events, source: 'marketplace', readAt };
      if (events.length > 0 || calls === mostCalls) {
        return { events, next: placeText(at), source: 'marketplace', readAt };
      }
      const page = await readPage(step, at.cursor, ownerId);
      readAt = page.readAt;
      let row = at.row;
      for (; row < page.events.length && events.length < limit; row += 1) {
        const event = page.events[row];
        if (event && isMeant(question, event)) events.push(event);
      }
      at = placeAfter(at, { row, page, found: events.length });
      if (at === undefined) return { events, source: 'marketplace', readAt };
    }
  };
}

const firstPlace: Place = { step: 0, row: 0, hasFound: false, cursor: '' };

/** Where the search continues; undefined at its end. A step that found nothing is followed by the next one. */
function placeAfter(
  at: Place,
  { row, page, found }: { row: number; page: MarketPage; found: number },
): Place | undefined {
  const hasFound = at.hasFound || found > 0;
  if (row < page.events.length) return { ...at, row, hasFound };
  if (page.cursor !== null) return { step: at.step, row: 0, hasFound, cursor: page.cursor };
  return hasFound ? undefined : { ...firstPlace, step: at.step + 1 };
}

function placeText({ step, row, hasFound, cursor }: Place): string {
  return `m ${step} ${row} ${Number(hasFound)} ${cursor}`;
}

function readPlace(text: string): Place {
  const [, step = '', row = '', found = '', cursor = ''] = text.split(' ');
  return { step: Number(step), row: Number(row), hasFound: found === '1', cursor };
}

function isOwnLimit(error: unknown): boolean {
  return error instanceof ProblemError && error.type === 'rate-limited';
}

async function askMarket(
  { stores, readMarketplace, now: readClock }: SearchMarketDeps,
  { filter, cursor, ownerId }: { filter: SearchFilter; cursor: string; ownerId: string },
): Promise<MarketPage> {
  const now = readClock();
  const limit = (await stores.marketState.read()).limits[bucket] ?? usualLimit;
  const searches = { ...limit, name: bucket, what: 'searches' };
  await takeSharedCall(stores.windowShares, searches, ownerId, now);
  const client = await readMarketplace();
  try {
    const page = await client.searchPage({
      ...filter,
      ...(cursor !== '' && { startingAfter: cursor }),
      limit: eventsPerPage,
      deadlineMs: now + timing.apiMarketplaceMs,
    });
    return { events: page.data, cursor: page.hasMore ? page.nextCursor : null, readAt: now };
  } catch (error) {
    if (!(error instanceof CursorError)) throw error;
    const detail = 'has expired; search again without it';
    throw invalidFaults([{ pointer: '#/starting_after', detail }]);
  }
}
