/**
 * The listings endpoints, v1 and v0.1.1, with their charge.
 */
import type { CallOptions } from './attempt-guard.ts';
import { FREE, listingsCharge } from './charge.ts';
import { listingsQuerySchema } from './contract/listings.ts';
import { ENDPOINTS, endpointLabel, fillPath } from './endpoints.ts';
import {
  type LegacyListings,
  type Listing,
  readFirstListingsPage,
  readLegacyListings,
  readListingsPage,
} from './reading/listings.ts';
import { type EventRef, encodeQuery, legacyEventQuery, resolveEventRef } from './request-params.ts';
import type { Page, Result } from './result.ts';
import type { Transport } from './transport.ts';
import { startWalk, type Walk, type WalkOptions } from './walk.ts';

const endpoint = ENDPOINTS.listings;

export interface ListingsOptions extends CallOptions {
  /** true: listed rows only; false: delisted rows only. @default both */
  active?: boolean | undefined;
  /** Rows per page, 1 to 1000. @default 500 */
  limit?: number | undefined;
}

export interface ListingsPageOptions extends ListingsOptions {
  /** `nextCursor` of the page before, under the same `active`. */
  startingAfter?: string | undefined;
}

export interface ListingsResultPage extends Page<Listing> {
  /** Undefined when the answer has no such field. */
  serviceEventId: number | undefined;
  shEventId: number | undefined;
  vsEventId: number | null | undefined;
  /** First page only. */
  totalCount: number | undefined;
  /**
   * First page only: whether this request was charged. After a retry or a restart it can be false
   * although the data is new to you; compare `lastRefreshedAt` instead.
   */
  hasRefreshed: boolean | undefined;
  /** First page only; ISO 8601, null before the first refresh. */
  lastRefreshedAt: string | null | undefined;
}

/** One page of GET /v1/events/{event_id}/listings. */
export async function fetchListingsPage(
  transport: Transport,
  ref: EventRef,
  options: ListingsPageOptions,
): Promise<ListingsResultPage> {
  const { eventId, idType } = resolveEventRef(endpoint, ref);
  const isFirst = options.startingAfter === undefined;
  const { value, rateLimit, serviceClock, lostAttempts } = await transport.json(
    {
      endpoint,
      path: fillPath(endpoint.path, { event_id: eventId }),
      query: encodeQuery(endpoint, listingsQuerySchema, {
        id_type: idType,
        active: options.active,
        limit: options.limit,
        starting_after: options.startingAfter,
      }),
      maxPulls: isFirst ? 1 : 0,
      options,
    },
    isFirst ? readFirstListingsPage : readListingsPage,
  );
  const charged = {
    rows: value.data,
    hasRefreshed: value.has_refreshed,
    isEmptyEvent: value.last_refreshed_at === null,
  };
  return {
    data: value.data,
    oddRows: value.oddRows,
    hasMore: value.has_more,
    nextCursor: value.next_cursor,
    serviceEventId: value.service_event_id,
    shEventId: value.sh_event_id,
    vsEventId: value.vs_event_id,
    totalCount: value.total_count,
    hasRefreshed: value.has_refreshed,
    lastRefreshedAt: value.last_refreshed_at,
    cost: isFirst ? listingsCharge(charged, lostAttempts) : FREE,
    rateLimit,
    serviceClock,
  };
}

/** All listings, under one `active` and `limit` for the whole walk. */
export function walkListings(
  transport: Transport,
  ref: EventRef,
  options: ListingsOptions & WalkOptions,
): Walk<Listing, ListingsResultPage> {
  return startWalk(transport.limits, options, {
    endpoint: endpointLabel(endpoint),
    fetchPage: (startingAfter) => fetchListingsPage(transport, ref, { ...options, startingAfter }),
    identify: identifyListing,
  });
}

/**
 * The service may reuse a listing id, and price, quantity and `active` change: identify a row by
 * the other fields.
 */
function identifyListing(row: Listing): string {
  return JSON.stringify([row.listing_id, row.created_at, row.zone, row.section, row.row]);
}

export interface LegacyListingsOptions extends CallOptions {
  /** @default 'v0.1.1' */
  version?: 'v0.1' | 'v0.1.1' | undefined;
}

/** GET /v0.1.1/listings/get: all listings of an event in one answer. */
export async function fetchLegacyListings(
  transport: Transport,
  ref: EventRef,
  options: LegacyListingsOptions,
): Promise<Result<LegacyListings>> {
  const legacy = ENDPOINTS.legacyListings;
  const { value, rateLimit, serviceClock, lostAttempts } = await transport.json(
    {
      endpoint: legacy,
      path: fillPath(legacy.path, { version: options.version ?? 'v0.1.1' }),
      query: legacyEventQuery(legacy, ref),
      maxPulls: 1,
      options,
    },
    readLegacyListings,
  );
  const charged = {
    rows: value.listings,
    hasRefreshed: value.has_refreshed === undefined ? undefined : value.has_refreshed === 1,
    isEmptyEvent: value.last_refresh_timestamp === null,
  };
  return { data: value, cost: listingsCharge(charged, lostAttempts), rateLimit, serviceClock };
}
