/** The listings of an event, v1 and v0.1.1, charged when they refreshed since the last paid pull. */
import {
  type LegacyListings,
  legacyEventQuerySchema,
  legacyListingsSchema,
  listingsPageSchema,
  listingsQuerySchema,
  PAGE_LIMITS,
} from '#shared/marketplace/contract.ts';
import { chargeThrough, paidThrough } from '../billing/ledger.ts';
import type { CatalogEvent } from '../catalog.ts';
import { toIso } from '../clock.ts';
import {
  answerJson,
  answerRawJson,
  type Call,
  type Operation,
  type Route,
} from '../http/operation.ts';
import { parseQuery, requireEvent, requireLegacyEvent } from '../http/parse.ts';
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

/** Sort key of a row: it never changes, so a walk meets each row at most once. */
interface Position {
  listingId: number;
  rowId: number;
}

interface ListingsPage {
  /** The rows as JSON, comma-separated. */
  rows: string;
  /** The last row, when more follow it. */
  continuesAfter: Position | undefined;
}

type Filter = 'both' | 'active' | 'delisted';

const filterOf = { true: 'active', false: 'delisted', '': 'both' } as const;

/** The SQL of a page, made once per filter: texts made anew at each request are slow to look up. */
const pageSql = {
  both: writePageSql(''),
  active: writePageSql(' AND active = 1'),
  delisted: writePageSql(' AND active = 0'),
} as const satisfies Record<Filter, object>;

function writePageSql(condition: string) {
  const from = `FROM listings WHERE event_id = ? AND source = 'sh'${condition}
    AND (listing_id, id) > (?, ?) ORDER BY listing_id, id LIMIT ?`;
  return {
    rows: `SELECT group_concat(body, ',' ORDER BY listing_id, id) AS rows
      FROM (SELECT listing_id, id, body ${from})`,
    boundary: `SELECT listing_id AS listingId, id AS rowId ${from} OFFSET ?`,
  };
}

function answerListings(call: Call) {
  const query = parseQuery(listingsQuerySchema, call);
  const id = Number(call.param('event_id'));
  const event = requireEvent(call, id, query.id_type ?? 'service');
  const filter = filterOf[query.active ?? ''];
  const limit = query.limit ?? PAGE_LIMITS.listings.default;
  const { store, cursors } = call.service;
  const scope = `${call.account.id} listings ${query.id_type ?? 'service'} ${id} ${filter}`;
  const write = (page: ListingsPage, firstOnly: string) => {
    const last = page.continuesAfter;
    const cursor = last ? cursors.issue(scope, [last.listingId, last.rowId]) : null;
    return writePage({ pathId: id, event, rows: page.rows, cursor, firstOnly });
  };
  return store.transaction(() => {
    if (query.starting_after !== undefined) {
      const [listingId, rowId] = cursors.read(scope, query.starting_after);
      const after = { listingId: Number(listingId), rowId: Number(rowId) };
      return write(readPage(store, { event, filter, after, limit }), '');
    }
    const after = { listingId: -1, rowId: -1 };
    const page = readPage(store, { event, filter, after, limit });
    const refresh = readRefresh(store, event);
    const firstOnly = {
      total_count: countListings(refresh, filter),
      has_refreshed: chargeWhenRefreshed(call, event, { refresh, hasRows: page.rows !== '' }),
      last_refreshed_at: refresh ? toIso(refresh.at) : null,
    };
    return write(page, `${JSON.stringify(firstOnly).slice(1, -1)},`);
  });
}

interface Refresh {
  /** Epoch milliseconds. */
  at: number;
  everListed: number;
  active: number;
}

function readRefresh(store: Store, event: CatalogEvent): Refresh | undefined {
  return store.get<Refresh>(
    `SELECT refreshed_at AS at, ever_listed AS everListed, active FROM refreshes
     WHERE event_id = ? AND source = 'sh'`,
    event.id,
  );
}

function countListings(refresh: Refresh | undefined, filter: Filter): number {
  const { everListed = 0, active = 0 } = refresh ?? {};
  return { both: everListed, active, delisted: everListed - active }[filter];
}

/**
 * Charges when the event refreshed since the account's last paid pull, of v1 or v0.1.1 alike, and
 * there is something to sell (api.md, listings rule 2). Says whether it did.
 */
function chargeWhenRefreshed(
  call: Call,
  event: CatalogEvent,
  { refresh, hasRows }: { refresh: Refresh | undefined; hasRows: boolean },
): boolean {
  const { store } = call.service;
  const pull = { accountId: call.account.id, kind: 'listings', eventId: event.id } as const;
  if (!refresh || !hasRows || refresh.at <= paidThrough(store, pull)) return false;
  chargeThrough(store, { ...pull, reason: 'listings refreshed', at: call.now }, refresh.at);
  return true;
}

/**
 * Reads one page. Rows are stored as the JSON they are served as, so SQLite puts them together and
 * a page of a thousand is one string here instead of a thousand.
 */
function readPage(
  store: Store,
  o: { event: CatalogEvent; filter: Filter; after: Position; limit: number },
): ListingsPage {
  const { listingId, rowId } = o.after;
  const sql = pageSql[o.filter];
  const page = store.get<{ rows: string | null }>(sql.rows, o.event.id, listingId, rowId, o.limit);
  const [last, next] = store.all<Position>(
    sql.boundary,
    o.event.id,
    listingId,
    rowId,
    2,
    o.limit - 1,
  );
  return { rows: page?.rows ?? '', continuesAfter: next && last };
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
    const refresh = readRefresh(store, event);
    const charged = chargeWhenRefreshed(call, event, { refresh, hasRows: rows.length > 0 });
    const body: LegacyListings = {
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
