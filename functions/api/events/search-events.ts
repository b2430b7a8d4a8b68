// Searches events: in the daily catalog if there is a current one, else in the marketplace's search. The facts of
// events that the marketplace's search finds are stored, so that watches and alerts can name them.
import type { Stores } from '#shared/dynamo/stores.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import { invalidFaults } from '../problem.ts';
import type { EventEntry, EventSearch, EventsPage } from './found-events.ts';
import type { CatalogSearch } from './search-catalog.ts';
import { createSearchMarket, type SearchMarketDeps } from './search-market.ts';

/** Future events that a search asks for, by date. @throws as `SearchMarket` does. */
export type SearchEvents = (search: EventSearch) => Promise<EventsPage>;

interface SearchDeps extends SearchMarketDeps {
  catalog: Pick<CatalogSearch, 'search'>;
  stores: SearchMarketDeps['stores'] & Pick<Stores, 'eventFacts'>;
}

/** The use case. */
export function createSearchEvents(deps: SearchDeps): SearchEvents {
  const searchMarket = createSearchMarket(deps);
  const keepFacts = createKeepFacts(deps);

  return async function searchEvents(search) {
    const isMarket = search.after?.startsWith('m ') ?? false;
    const found = isMarket ? undefined : await deps.catalog.search(search);
    if (found) return found;
    if (!isMarket && search.after !== undefined) {
      const detail = 'has expired; search again without it';
      throw invalidFaults([{ pointer: '#/starting_after', detail }]);
    }
    const page = await searchMarket(search);
    await keepFacts(page);
    return page;
  };
}

function createKeepFacts({ stores: { eventFacts } }: SearchDeps) {
  /** Events of cached answers, whose facts are stored already. */
  const kept = new WeakSet<EventEntry>();

  async function keep(event: EventEntry, readAt: number): Promise<void> {
    // Imported here because it loads the table of time zones, which no other request needs.
    const { factsOf } = await import('#shared/watchlist/catalog-facts.ts');
    try {
      await eventFacts.keep(factsOf(event, readAt));
      kept.add(event);
    } catch (error) {
      if (isTransient(error)) throw error;
      const ids = { eventId: event.event_id };
      reportFault({ thing: 'catalog_row', reason: reasonOf(error), ids, error });
    }
  }

  return async function keepFacts({ events, readAt }: EventsPage): Promise<void> {
    const fresh = events.filter((event) => !kept.has(event));
    await Promise.all(fresh.map((event) => keep(event, readAt)));
  };
}
