// The common form of a search for events and of its answer, whichever source answers it.
import type { MarketplaceEvent } from '#shared/marketplace/reading/search.ts';
import type { EventQuestion } from '#shared/watchlist/event-question.ts';

/** The sources of a search: the daily catalog in our own table, or the marketplace's search. */
export const eventSources = ['catalog', 'marketplace'] as const;

/** A search of an owner; `after` is the place where the page before ended. */
export interface EventSearch {
  question: EventQuestion;
  ownerId: string;
  limit: number;
  after?: string | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/** One page of a search, by date; `next` is absent on the last page. */
export interface EventsPage {
  events: EventEntry[];
  next?: string | undefined;
  source: (typeof eventSources)[number];
  /** When the source was read, epoch milliseconds. */
  readAt: number;
}

/** The facts of an event that a search finds. */
export type EventEntry = Pick<MarketplaceEvent, NeededFact> & {
  [Fact in SpareFact]?: MarketplaceEvent[Fact] | null;
};

type NeededFact = 'event_id' | 'event_name' | 'event_date';
type SpareFact =
  | 'event_time'
  | 'performer'
  | 'tour_name'
  | 'venue_name'
  | 'venue_city'
  | 'venue_state'
  | 'venue_lat'
  | 'venue_lng';
