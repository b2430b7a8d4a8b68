/**
 * Pages of listings as text, read from the store and cached while their refresh is the newest one.
 * Charges nothing and knows no cursor.
 */
import type { Store } from '../store/store.ts';

/** Sort key of a row. The key never changes, so a walk returns each row at most once. */
export interface RowPosition {
  listingId: number;
  rowId: number;
}

export interface ListingRows {
  /** The rows as JSON, comma-separated. */
  rows: string;
  /** The last row, if more rows follow. */
  continuesAfter: RowPosition | undefined;
  /** Whether the page comes from the cache, so that it belongs to the refresh that was asked for. */
  isKept: boolean;
}

export type ListingsFilter = 'both' | 'active' | 'delisted';

export interface ListingPageRequest {
  eventId: number;
  /** Time of the event's newest `sh` refresh, epoch ms: rows change with a refresh only. */
  refreshedAt: number;
  filter: ListingsFilter;
  after: RowPosition;
  limit: number;
}

export interface ListingPages {
  read(request: ListingPageRequest): ListingRows;
}

/** Cache size in characters: a few thousand small pages, or a dozen of a thousand rows. */
const keptCharacters = 4_000_000;

/** The SQL of a page, built once per filter: a new text per request is slow to look up. */
const pageSql = {
  both: writePageSql(''),
  active: writePageSql(' AND active = 1'),
  delisted: writePageSql(' AND active = 0'),
} as const satisfies Record<ListingsFilter, string>;

function writePageSql(condition: string): string {
  return `SELECT listing_id, id, body FROM listings WHERE event_id = ? AND source = 'sh'${condition}
    AND (listing_id, id) > (?, ?) ORDER BY listing_id, id LIMIT ?`;
}

export function createListingPages(store: Store): ListingPages {
  const kept = new Map<string, ListingRows>();
  let characters = 0;
  const keep = (key: string, page: ListingRows): void => {
    if (page.rows.length > keptCharacters) return;
    kept.set(key, page);
    characters += page.rows.length;
    for (const [oldest, { rows }] of kept) {
      if (characters <= keptCharacters) return;
      kept.delete(oldest);
      characters -= rows.length;
    }
  };
  return {
    read: (request) => {
      const { eventId, refreshedAt, filter, after, limit } = request;
      const key = `${eventId} ${refreshedAt} ${filter} ${after.listingId} ${after.rowId} ${limit}`;
      const held = kept.get(key);
      if (held) return held;
      const page = readPage(store, request);
      keep(key, { ...page, isKept: true });
      return page;
    },
  };
}

type PageRow = [listingId: number, rowId: number, body: string];

/** Rows are stored as the served JSON, so a page only joins their texts. */
function readPage(store: Store, o: ListingPageRequest): ListingRows {
  const { listingId, rowId } = o.after;
  const sql = pageSql[o.filter];
  const read = store.arrays<PageRow>(sql, o.eventId, listingId, rowId, o.limit + 1);
  const last = read.length > o.limit ? read[o.limit - 1] : undefined;
  if (last) read.pop();
  // `join` makes one flat string: repeated `+=` would keep each row's text alive in the cache.
  const rows = read.map(([, , body]) => body).join(',');
  return { rows, continuesAfter: last && { listingId: last[0], rowId: last[1] }, isKept: false };
}
