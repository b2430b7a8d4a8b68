/**
 * Event search, v1 and the legacy v0.3.1. Free, but limited to a few calls a minute: cache results,
 * and never search from a poll.
 */
import type { CallOptions } from './attempt-guard.ts';
import { FREE } from './charge.ts';
import { legacySearchBodySchema, searchQuerySchema } from './contract/search.ts';
import { ENDPOINTS, endpointLabel } from './endpoints.ts';
import {
  type LegacySearchResult,
  type MarketplaceEvent,
  readLegacySearch,
  readSearchPage,
} from './reading/search.ts';
import { check, encodeQuery } from './request-params.ts';
import type { Page, Result } from './result.ts';
import type { Transport } from './transport.ts';
import { startWalk, type Walk, type WalkOptions } from './walk.ts';

const endpoint = ENDPOINTS.search;

/** Partial matches unless the field says otherwise; all given fields must match. */
export interface SearchFilter {
  eventName?: string | undefined;
  /** Partial date, such as `2026-05`. */
  eventDate?: string | undefined;
  venueName?: string | undefined;
  venueCity?: string | undefined;
  venueState?: string | undefined;
  /** Exact. */
  countryCode?: string | undefined;
  /** Exact. */
  tmEventId?: string | undefined;
  stdEventId?: number | undefined;
  stdVenueId?: number | undefined;
  /** Exact. */
  venueSlug?: string | undefined;
  /** Include past events. @default false */
  historical?: boolean | undefined;
}

export interface SearchOptions extends SearchFilter, CallOptions {
  /** Events per page, 1 to 200. @default 100 */
  limit?: number | undefined;
}

export interface SearchPageOptions extends SearchOptions {
  /** `nextCursor` of the page before, under the same filter. */
  startingAfter?: string | undefined;
}

/** One page of GET /v1/events/search. */
export async function fetchSearchPage(
  transport: Transport,
  options: SearchPageOptions,
): Promise<Page<MarketplaceEvent>> {
  const { value, rateLimit, serviceClock } = await transport.json(
    {
      endpoint,
      path: endpoint.path,
      query: encodeQuery(endpoint, searchQuerySchema, searchValues(options)),
      maxPulls: 0,
      options,
    },
    readSearchPage,
  );
  return {
    data: value.data,
    oddRows: value.oddRows,
    hasMore: value.has_more,
    nextCursor: value.next_cursor,
    cost: FREE,
    rateLimit,
    serviceClock,
  };
}

function searchValues(options: SearchPageOptions) {
  return {
    event_name: options.eventName,
    event_date: options.eventDate,
    venue_name: options.venueName,
    venue_city: options.venueCity,
    venue_state: options.venueState,
    country_code: options.countryCode,
    tm_event_id: options.tmEventId,
    std_event_id: options.stdEventId,
    std_venue_id: options.stdVenueId,
    venue_slug: options.venueSlug,
    historical: options.historical,
    limit: options.limit,
    starting_after: options.startingAfter,
  };
}

/** All events that match, under one filter and `limit` for the whole walk. */
export function walkSearch(
  transport: Transport,
  options: SearchOptions & WalkOptions,
): Walk<MarketplaceEvent, Page<MarketplaceEvent>> {
  return startWalk(transport.limits, options, {
    endpoint: endpointLabel(endpoint),
    fetchPage: (startingAfter) => fetchSearchPage(transport, { ...options, startingAfter }),
    identify: (row) => String(row.event_id),
  });
}

/** The six fields of the legacy body; `historical` searches past events only. */
export type LegacySearchFilter = Pick<
  SearchFilter,
  'eventName' | 'eventDate' | 'venueName' | 'venueCity' | 'venueState' | 'historical'
>;

/** POST /v0.3.1/events/search, superseded by the v1 search. */
export async function fetchLegacySearch(
  transport: Transport,
  options: LegacySearchFilter & CallOptions,
): Promise<Result<LegacySearchResult>> {
  const legacy = ENDPOINTS.legacySearch;
  const body = {
    event_name: options.eventName,
    event_date: options.eventDate,
    venue_name: options.venueName,
    venue_city: options.venueCity,
    venue_state: options.venueState,
    historical: options.historical,
  };
  check(legacy, legacySearchBodySchema, body);
  const { value, rateLimit, serviceClock } = await transport.json(
    { endpoint: legacy, path: legacy.path, body, maxPulls: 0, options },
    readLegacySearch,
  );
  return { data: value[0], cost: FREE, rateLimit, serviceClock };
}
