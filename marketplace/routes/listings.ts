/**
 * The listings of an event, v1 and v0.1.1; charged when they refreshed since the last paid pull.
 */
import {
  type LegacyListingsJson,
  legacyEventQuerySchema,
  legacyListingsSchema,
  listingsPageSchema,
  listingsQuerySchema,
  PAGE_LIMITS,
} from '#shared/marketplace/contract.ts';
import { chargeThrough } from '../billing/ledger.ts';
import type { CatalogEvent } from '../catalog.ts';
import { toIso } from '../clock.ts';
import {
  answerJson,
  answerRawJson,
  type Call,
  type Route,
  type RouteOperation,
} from '../http/operation.ts';
import { parseQuery, requireEvent, requireLegacyEvent } from '../http/parse.ts';
import { fromCents } from '../ingest/money.ts';
import type { Store } from '../store/store.ts';
import type { ListingPageRequest, ListingRows, ListingsFilter } from './listing-pages.ts';

const operation: RouteOperation = {
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

/** A first page and whether a pull is due for it, of one state of the store. */
interface FirstPage {
  page: ListingRows;
  refresh: Refresh | undefined;
  isOwed: boolean;
}

const filterOf = { true: 'active', false: 'delisted', '': 'both' } as const;

function answerListings(call: Call) {
  const query = parseQuery(listingsQuerySchema, call);
  const id = Number(call.param('event_id'));
  const event = requireEvent(call, id, query.id_type ?? 'service');
  const filter = filterOf[query.active ?? ''];
  const limit = query.limit ?? PAGE_LIMITS.listings.default;
  const { cursors } = call.service;
  const scope = `${call.account.id} listings ${query.id_type ?? 'service'} ${id} ${filter}`;
  const write = (page: ListingRows, firstOnly: string) => {
    const last = page.continuesAfter;
    const cursor = last ? cursors.issue(scope, [last.listingId, last.rowId]) : null;
    return writePage({ pathId: id, event, rows: page.rows, cursor, firstOnly });
  };
  if (query.starting_after !== undefined) {
    const [listingId, rowId] = cursors.read(scope, query.starting_after);
    const after = { listingId: Number(listingId), rowId: Number(rowId) };
    const refresh = readRefresh(call, event);
    return write(readPage(call, { event, refresh, filter, after, limit }), '');
  }
  const { page, refresh, isOwed } = takeFirstPage(call, { event, filter, limit });
  const firstOnly = {
    total_count: countListings(refresh, filter),
    has_refreshed: isOwed,
    last_refreshed_at: refresh ? toIso(refresh.at) : null,
  };
  return write(page, `${JSON.stringify(firstOnly).slice(1, -1)},`);
}

/**
 * Most first pages cost nothing. Only a chargeable one takes the file's write lock, and then checks
 * again.
 */
function takeFirstPage(
  call: Call,
  o: { event: CatalogEvent; filter: ListingsFilter; limit: number },
): FirstPage {
  const seen = readFirstPage(call, o);
  if (!seen.isOwed) return seen;
  return call.service.store.transaction(() => {
    const owed = readFirstPage(call, o);
    if (owed.isOwed) charge(call, o.event, owed.refresh);
    return owed;
  });
}

/** Another process may store a refresh between the two reads; then both are read again. */
function readFirstPage(
  call: Call,
  o: { event: CatalogEvent; filter: ListingsFilter; limit: number },
): FirstPage {
  const refresh = readRefresh(call, o.event);
  const page = readPage(call, { ...o, refresh, after: { listingId: -1, rowId: -1 } });
  const isCurrent = page.isKept || readRefresh(call, o.event)?.at === refresh?.at;
  return isCurrent
    ? { page, refresh, isOwed: isOwed(refresh, page.rows !== '') }
    : readFirstPage(call, o);
}

interface Refresh {
  /** Epoch milliseconds. */
  at: number;
  everListed: number;
  active: number;
  /** The latest refresh (epoch ms) that the account has paid for; null before the first. */
  paidThrough: number | null;
}

/** The newest refresh and what the account has paid, in one statement: a page takes few of them. */
function readRefresh({ service, account }: Call, event: CatalogEvent): Refresh | undefined {
  return service.store.get<Refresh>(
    `SELECT refreshed_at AS at, ever_listed AS everListed, active, through AS paidThrough
     FROM refreshes LEFT JOIN paid ON paid.event_id = refreshes.event_id
       AND account_id = ? AND kind = 'listings'
     WHERE refreshes.event_id = ? AND source = 'sh'`,
    account.id,
    event.id,
  );
}

function countListings(refresh: Refresh | undefined, filter: ListingsFilter): number {
  const { everListed = 0, active = 0 } = refresh ?? {};
  return { both: everListed, active, delisted: everListed - active }[filter];
}

/**
 * Whether a pull is due: the event refreshed since the account's last paid pull, by v1 or v0.1.1,
 * and the answer has rows (api.md, listings rule 2).
 */
function isOwed(refresh: Refresh | undefined, hasRows: boolean): boolean {
  if (!refresh || !hasRows) return false;
  return refresh.at > (refresh.paidThrough ?? Number.NEGATIVE_INFINITY);
}

function charge(call: Call, event: CatalogEvent, refresh: Refresh | undefined): void {
  const pull = { accountId: call.account.id, kind: 'listings', eventId: event.id } as const;
  const entry = { ...pull, reason: 'listings refreshed', at: call.now };
  if (refresh) chargeThrough(call.service.store, entry, refresh.at);
}

function readPage(
  call: Call,
  o: Omit<ListingPageRequest, 'eventId' | 'refreshedAt'> & {
    event: CatalogEvent;
    refresh: Refresh | undefined;
  },
): ListingRows {
  const { event, refresh, ...rest } = o;
  return call.service.listingPages.read({
    ...rest,
    eventId: event.id,
    refreshedAt: refresh?.at ?? 0,
  });
}

function writePage(o: {
  pathId: number;
  event: CatalogEvent;
  rows: string;
  cursor: string | null;
  firstOnly: string;
}) {
  const { event } = o;
  const ids = `"event_id":${o.pathId},"service_event_id":${event.id},"sh_event_id":${event.shEventId},"vs_event_id":${event.vsEventId}`;
  const next = `"has_more":${o.cursor !== null},"next_cursor":${JSON.stringify(o.cursor)}`;
  return answerRawJson(`{${ids},${o.firstOnly}"data":[${o.rows}],${next}}`);
}

function legacyOperation(version: 'v0.1' | 'v0.1.1'): RouteOperation {
  return {
    method: 'get',
    path: `/${version}/listings/get`,
    summary: 'All listings of an event (legacy)',
    description: 'Exactly one of event_id and event_id_sh must be given: both or neither is a 400.',
    bucket: 'listings',
    errors: 'text',
    access: 'api',
    gzip: true,
    query: legacyEventQuerySchema,
    answer: { status: 200, schema: legacyListingsSchema, description: 'All listings, gzip' },
    refusals: [400, 402],
  };
}

interface LegacyRow {
  listing_id: number;
  active: 0 | 1;
  zone: string;
  section: string;
  row: string;
  quantity_start: number;
  quantity: number;
  price_cents: number;
}

function readLegacyListings(store: Store, event: CatalogEvent): LegacyRow[] {
  return store.all<LegacyRow>(
    `SELECT listing_id, active, zone, section, row, quantity_start, quantity, price_cents
     FROM listings WHERE event_id = ? AND source = 'sh' ORDER BY listing_id, id`,
    event.id,
  );
}

function answerLegacyListings(call: Call) {
  const event = requireLegacyEvent(call);
  const { store } = call.service;
  return store.transaction(() => {
    const rows = readLegacyListings(store, event);
    const refresh = readRefresh(call, event);
    const charged = isOwed(refresh, rows.length > 0);
    if (charged) charge(call, event, refresh);
    const body: LegacyListingsJson = {
      has_refreshed: charged ? 1 : 0,
      last_refresh_timestamp: refresh ? Math.floor(refresh.at / 1000) : null,
      listings: rows.map(({ price_cents, ...row }) => ({ ...row, price: fromCents(price_cents) })),
    };
    return answerJson(body);
  });
}

export const listingsRoutes: readonly Route[] = [
  { operation, handle: answerListings },
  { operation: legacyOperation('v0.1'), handle: answerLegacyListings },
  { operation: legacyOperation('v0.1.1'), handle: answerLegacyListings },
];
