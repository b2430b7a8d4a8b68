/** The listings of an event, v1 and v0.1.1, charged when they refreshed since the last paid pull. */
import {
  type LegacyListings,
  type Listing,
  type ListingsPage,
  legacyEventQuerySchema,
  legacyListingsSchema,
  listingsPageSchema,
  listingsQuerySchema,
  PAGE_LIMITS,
} from '#shared/marketplace/contract.ts';
import { chargeThrough, paidThrough } from '../billing/ledger.ts';
import type { CatalogEvent } from '../catalog.ts';
import { toIso } from '../clock.ts';
import { answerJson, type Call, type Operation, type Route } from '../http/operation.ts';
import { cutPage, type Page } from '../http/pages.ts';
import { parseQuery, requireEvent } from '../http/parse.ts';
import { fromCents } from '../ingest/money.ts';
import type { Store } from '../store/store.ts';

const operation: Operation = {
  method: 'get',
  path: '/v1/events/{event_id}/listings',
  summary: 'Listings of an event by listing_id',
  bucket: 'listings',
  errors: 'envelope',
  access: 'api',
  query: listingsQuerySchema,
  answer: { status: 200, schema: listingsPageSchema, description: 'A page of listings' },
  refusals: [400, 402, 404],
};

interface ListingRow {
  id: number;
  listing_id: number;
  active: 0 | 1;
  zone: string;
  section: string;
  row: string;
  quantity_start: number;
  quantity: number;
  price_cents: number;
  created_at: number;
  updated_at: number;
}

type Filter = 'both' | 'active' | 'delisted';

const filterOf = { true: 'active', false: 'delisted', '': 'both' } as const;
const condition = { both: '', active: ' AND active = 1', delisted: ' AND active = 0' } as const;

function answerListings(call: Call) {
  const query = parseQuery(listingsQuerySchema, call);
  const id = Number(call.param('event_id'));
  const event = requireEvent(call, id, query.id_type ?? 'service');
  const filter = filterOf[query.active ?? ''];
  const limit = query.limit ?? PAGE_LIMITS.listings.default;
  const { store, cursors } = call.service;
  const scope = `${call.account.id} listings ${query.id_type ?? 'service'} ${id} ${filter}`;
  const readFrom = (listingId: number, rowId: number): Page<ListingRow> =>
    cutPage(readListings(store, { event, filter, listingId, rowId, limit: limit + 1 }), {
      limit,
      cursors,
      scope,
      positionOf: (row) => [row.listing_id, row.id],
    });
  if (query.starting_after !== undefined) {
    const [listingId, rowId] = cursors.read(scope, query.starting_after);
    return answerJson(toPage(id, event, readFrom(Number(listingId), Number(rowId))));
  }
  return store.transaction(() => {
    const page = readFrom(-1, -1);
    const refresh = chargeWhenRefreshed(call, event, page.rows.length > 0);
    return answerJson({
      ...toPage(id, event, page),
      total_count: countListings(store, event, filter),
      has_refreshed: refresh.charged,
      last_refreshed_at: refresh.at === null ? null : toIso(refresh.at),
    });
  });
}

/**
 * Charges when the event refreshed since the account's last paid pull, of v1 or v0.1.1 alike, and
 * there is something to sell (api.md, listings rule 2).
 */
function chargeWhenRefreshed(call: Call, event: CatalogEvent, hasRows: boolean) {
  const { store } = call.service;
  const refresh = store.get<{ at: number }>(
    `SELECT refreshed_at AS at FROM refreshes WHERE event_id = ? AND source = 'sh'`,
    event.id,
  );
  if (!refresh) return { charged: false, at: null };
  const pull = { accountId: call.account.id, kind: 'listings', eventId: event.id } as const;
  const charged = hasRows && refresh.at > paidThrough(store, pull);
  if (charged) {
    chargeThrough(store, { ...pull, reason: 'listings refreshed', at: call.now }, refresh.at);
  }
  return { charged, at: refresh.at };
}

/** Rows after a position; the key of a row never changes, so a walk meets each at most once. */
function readListings(
  store: Store,
  o: { event: CatalogEvent; filter: Filter; listingId: number; rowId: number; limit: number },
): ListingRow[] {
  return store.all<ListingRow>(
    `SELECT id, listing_id, active, zone, section, row, quantity_start, quantity, price_cents,
       created_at, updated_at
     FROM listings WHERE event_id = ? AND source = 'sh'${condition[o.filter]}
       AND (listing_id, id) > (?, ?)
     ORDER BY listing_id, id LIMIT ?`,
    o.event.id,
    o.listingId,
    o.rowId,
    o.limit,
  );
}

function countListings(store: Store, event: CatalogEvent, filter: Filter): number {
  const count = store.get<{ tally: number }>(
    `SELECT count(*) AS tally FROM listings
     WHERE event_id = ? AND source = 'sh'${condition[filter]}`,
    event.id,
  );
  return count?.tally ?? 0;
}

function toPage(pathId: number, event: CatalogEvent, page: Page<ListingRow>): ListingsPage {
  return {
    event_id: pathId,
    service_event_id: event.id,
    sh_event_id: event.shEventId,
    vs_event_id: event.vsEventId,
    data: page.rows.map(toListing),
    has_more: page.has_more,
    next_cursor: page.next_cursor,
  };
}

function toSeats(row: ListingRow) {
  return {
    listing_id: row.listing_id,
    zone: row.zone,
    section: row.section,
    row: row.row,
    quantity_start: row.quantity_start,
    quantity: row.quantity,
    price: fromCents(row.price_cents),
  };
}

function toListing(row: ListingRow): Listing {
  return {
    ...toSeats(row),
    active: row.active === 1,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}

function legacyOperation(version: 'v0.1' | 'v0.1.1'): Operation {
  return {
    method: 'get',
    path: `/${version}/listings/get`,
    summary: 'All listings of an event (legacy)',
    bucket: 'listings',
    errors: 'text',
    access: 'api',
    gzip: true,
    query: legacyEventQuerySchema,
    answer: { status: 200, schema: legacyListingsSchema, description: 'All listings, gzip' },
    refusals: [400, 402],
  };
}

function answerLegacyListings(call: Call) {
  const query = parseQuery(legacyEventQuerySchema, call);
  const event =
    query.event_id === undefined
      ? requireEvent(call, query.event_id_sh ?? -1, 'marketplace')
      : requireEvent(call, query.event_id, 'service');
  const { store } = call.service;
  return store.transaction(() => {
    const rows = readListings(store, {
      event,
      filter: 'both',
      listingId: -1,
      rowId: -1,
      limit: Number.MAX_SAFE_INTEGER,
    });
    const refresh = chargeWhenRefreshed(call, event, rows.length > 0);
    const body: LegacyListings = {
      has_refreshed: refresh.charged ? 1 : 0,
      last_refresh_timestamp: refresh.at === null ? null : Math.floor(refresh.at / 1000),
      listings: rows.map((row) => ({ ...toSeats(row), active: row.active })),
    };
    return answerJson(body);
  });
}

export const listingsRoutes: readonly Route[] = [
  { operation, handle: answerListings },
  { operation: legacyOperation('v0.1'), handle: answerLegacyListings },
  { operation: legacyOperation('v0.1.1'), handle: answerLegacyListings },
];
