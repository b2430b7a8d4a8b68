/**
 * Reads sales in the API's order and writes rows in its two forms. Charges nothing; ingest decided
 * which sales may be returned.
 */
import type { LegacySale, SaleJson, SourceFilter } from '#shared/marketplace/contract.ts';
import { fromCents } from './ingest/money.ts';
import { sourceRank } from './ingest/sales.ts';
import { isReadable } from './source-status.ts';
import type { Store } from './store/store.ts';

export interface SaleRow {
  id: number;
  source_rank: 0 | 1;
  sold_at_seconds: number;
  listing_id: number | string;
  quantity: number;
  price_cents: number;
  all_in_cents: number | null;
  zone: string;
  section: string;
  row: string;
  norm_zone: string;
  norm_section: string;
}

/** Sort key of a sale: time, rank of its source, row. */
export type SalesPosition = readonly [number, number, number];

export function salesPositionOf(row: SaleRow): SalesPosition {
  return [row.sold_at_seconds, row.source_rank, row.id];
}

interface SalesQuery {
  eventId: number;
  filter: SourceFilter;
}

/**
 * Sales in the order of api.md, sales rule 1: newest first, `sh` before `vs` at equal times, then
 * id descending. A marketplace that can't be read has no rows.
 * @param position read after this key; absent: from the newest
 * @param limit absent: all rows
 */
export function readSales(
  store: Store,
  o: SalesQuery & { position?: SalesPosition | undefined; limit?: number },
): SaleRow[] {
  const from = o.position ?? [Number.MAX_SAFE_INTEGER, 0, 0];
  return store.all<SaleRow>(
    `SELECT id, source_rank, sold_at_seconds, listing_id, quantity, price_cents, all_in_cents, zone,
       section, row, norm_zone, norm_section
     FROM sales WHERE event_id = ? AND returned = 1 AND ${rankCondition(store, o.filter)}
       AND (sold_at_seconds, source_rank, id) < (?, ?, ?)
     ORDER BY sold_at_seconds DESC, source_rank DESC, id DESC LIMIT ?`,
    o.eventId,
    ...from,
    o.limit ?? Number.MAX_SAFE_INTEGER,
  );
}

/** Rows under the filter (api.md, sales `total_count`). */
export function countSales(store: Store, o: SalesQuery): number {
  return store.count(
    `SELECT count(*) AS tally FROM sales
     WHERE event_id = ? AND returned = 1 AND ${rankCondition(store, o.filter)}`,
    o.eventId,
  );
}

function rankCondition(store: Store, filter: SourceFilter): string {
  const wanted = filter === 'all' ? (['sh', 'vs'] as const) : ([filter] as const);
  const ranks = wanted.filter((source) => isReadable(store, source)).map((s) => sourceRank[s]);
  return `source_rank IN (${ranks.join(', ')})`;
}

/** A v0.3 row (api.md, Sales row, rule 1). */
export function toLegacySale(row: SaleRow): LegacySale {
  return {
    timestamp: row.sold_at_seconds,
    quantity: row.quantity,
    price: fromCents(row.price_cents),
    zone: row.zone,
    section: row.section,
    row: row.row,
  };
}

/** A v1 row; only `vs` rows have the norm_* fields. */
export function toSale(row: SaleRow): SaleJson {
  const shared = toLegacySale(row);
  if (row.source_rank === sourceRank.sh) {
    return { ...shared, listing_id: Number(row.listing_id), source: 'sh', all_in_price: null };
  }
  return {
    ...shared,
    zone: '',
    listing_id: String(row.listing_id),
    source: 'vs',
    all_in_price: row.all_in_cents === null ? null : fromCents(row.all_in_cents),
    norm_zone: row.norm_zone,
    norm_section: row.norm_section,
  };
}
