/**
 * Sales rows: those that `sh` reports, completed from the stored listing, and those inferred from
 * `vs` listings that vanished. Applies api.md's rule that a sale without known seats is never
 * returned.
 */
import type * as z from 'zod';
import type { CatalogEvent } from '../catalog.ts';
import type { Store } from '../store/store.ts';
import { toStoredId } from '../store/stored-id.ts';
import type { HeldListing, SetChanges } from './listing-set.ts';
import { toCents } from './money.ts';
import type { saleObservationSchema } from './observations.ts';
import type { SeatMatcher } from './seat-matching.ts';

export type ObservedSale = z.output<typeof saleObservationSchema>;

/** `sh` ranks above `vs`, so that descending order puts it first among equal times. */
export const sourceRank = { sh: 1, vs: 0 } as const;

interface SaleRow {
  eventId: number;
  source: 'sh' | 'vs';
  soldAtSeconds: number;
  listingId: number | string;
  listingRow: number | null;
  quantity: number;
  priceCents: number | null;
  allInCents: number | null;
  zone: string;
  section: string;
  row: string;
  normZone: string;
  normSection: string;
}

/**
 * Writes a sale that `sh` reported. Fills in a missing quantity, price and seats from the stored
 * listing of that id (api.md, Sales row, rule 2); an unknown quantity is 0. A sale whose section or
 * price stays unknown is stored for `collecting_since` but never returned.
 * @param at when it was sold, epoch milliseconds
 * @returns false when the same sale was written before.
 */
export function writeReportedSale(
  store: Store,
  o: { event: CatalogEvent; sale: ObservedSale; at: number },
): boolean {
  const { sale, event } = o;
  const soldAtSeconds = Math.floor(o.at / 1000);
  if (isWritten(store, event.id, sale.listing_id, soldAtSeconds)) return false;
  const held = findHeld(store, sale, o.at);
  insertSale(store, {
    eventId: event.id,
    source: 'sh',
    soldAtSeconds,
    listingId: sale.listing_id,
    listingRow: held?.id ?? null,
    quantity: sale.quantity ?? held?.quantity ?? 0,
    priceCents: sale.price === undefined ? (held?.priceCents ?? null) : toCents(sale.price),
    allInCents: null,
    zone: sale.zone ?? held?.zone ?? '',
    section: sale.section ?? held?.section ?? '',
    row: sale.row ?? held?.row ?? '',
    normZone: '',
    normSection: '',
  });
  if (held) store.run('UPDATE listings SET sold = 1 WHERE id = ?', held.id);
  return true;
}

function isWritten(store: Store, eventId: number, listingId: number, seconds: number): boolean {
  const known = store.get(
    `SELECT 1 FROM sales WHERE event_id = ? AND source_rank = ? AND sold_at_seconds = ?
       AND listing_id = ?`,
    eventId,
    sourceRank.sh,
    seconds,
    listingId,
  );
  return known !== undefined;
}

/** The row that had the id at the time of the sale; ids are reused, so take the latest such row. */
function findHeld(store: Store, sale: ObservedSale, at: number): HeldListing | undefined {
  return store.get<HeldListing>(
    `SELECT id, listing_id AS listingId, zone, section, row, quantity, price_cents AS priceCents,
       all_in_cents AS allInCents
     FROM listings WHERE event_id = ? AND source = 'sh' AND listing_id = ?
     ORDER BY created_at <= ? DESC, created_at DESC, id DESC LIMIT 1`,
    sale.event_id,
    sale.listing_id,
    at,
  );
}

/**
 * Infers and writes the `vs` sales of one refresh, a lower bound (api.md, Sales row, rule 3). Seats
 * listed again under another id were not sold; if a row returns, its inferred sale is deleted.
 * Infers nothing after the event's start, when all listings end.
 * @returns how many sales were inferred.
 */
export function inferSales(
  store: Store,
  o: { event: CatalogEvent; changes: SetChanges; at: number; matcher: SeatMatcher },
): number {
  const { event, changes, at } = o;
  for (const listing of changes.returned) {
    store.run('DELETE FROM sales WHERE listing_row = ? AND source_rank = 0', listing.id);
  }
  if (at >= event.startsAt) return 0;
  const relisted = new Set(changes.appeared.map(seatsOf));
  const gone = changes.vanished
    .filter((listing) => !relisted.has(seatsOf(listing)))
    .map((listing) => ({ listing, quantity: listing.quantity }));
  const partly = changes.shrunk.map(({ listing, from }) => ({
    listing,
    quantity: from - listing.quantity,
  }));
  for (const { listing, quantity } of [...gone, ...partly]) {
    const names = o.matcher.match(event.venueId, listing);
    insertSale(store, {
      eventId: event.id,
      source: 'vs',
      soldAtSeconds: Math.floor(at / 1000),
      listingId: String(listing.listingId),
      listingRow: listing.id,
      quantity,
      priceCents: listing.priceCents,
      allInCents: listing.allInCents,
      zone: '',
      section: [listing.zone, listing.section].filter((part) => part !== '').join(' '),
      row: listing.row,
      normZone: names.zone,
      normSection: names.section,
    });
  }
  return gone.length + partly.length;
}

function seatsOf(listing: HeldListing): string {
  return `${listing.zone}\n${listing.section}\n${listing.row}`;
}

function insertSale(store: Store, sale: SaleRow): void {
  const returned = sale.section !== '' && sale.priceCents !== null;
  store.run(
    `INSERT INTO sales (event_id, source_rank, sold_at_seconds, listing_id, listing_row, returned,
       quantity, price_cents, all_in_cents, zone, section, row, norm_zone, norm_section)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sale.eventId,
    sourceRank[sale.source],
    sale.soldAtSeconds,
    toStoredId(sale.listingId),
    sale.listingRow,
    returned ? 1 : 0,
    sale.quantity,
    sale.priceCents ?? 0,
    sale.allInCents,
    sale.zone,
    sale.section,
    sale.row,
    sale.normZone,
    sale.normSection,
  );
}
