/**
 * One refresh of one event on one marketplace: finds the listings that appeared, changed and
 * vanished since the last refresh and writes the rows. Infers no sales.
 */
import type * as z from 'zod';
import type { Store } from '../store/store.ts';
import { toStoredId } from '../store/stored-id.ts';
import { toCents } from './money.ts';
import type { listingSetSchema } from './observations.ts';

export type ObservedSet = z.output<typeof listingSetSchema>;
type Observed = ObservedSet['listings'][number];

export interface HeldListing {
  id: number;
  listingId: number | string;
  zone: string;
  section: string;
  row: string;
  quantity: number;
  priceCents: number;
  allInCents: number | null;
}

export interface SetChanges {
  /** Listings active after this refresh. */
  active: HeldListing[];
  vanished: HeldListing[];
  /** Rows that this set contains for the first time. */
  appeared: HeldListing[];
  /** Rows that had vanished and are listed again. */
  returned: HeldListing[];
  /** Rows whose quantity fell, with their previous quantity. */
  shrunk: { listing: HeldListing; from: number }[];
}

const heldColumns = `id, listing_id AS listingId, zone, section, row, quantity,
  price_cents AS priceCents, all_in_cents AS allInCents`;

/**
 * Writes the set. Id and seats together identify a row: an id that the marketplace reuses for other
 * seats is a new row, and the same id with the same seats is the old row listed again.
 * @param at time of the refresh, epoch milliseconds
 */
export function writeListingSet(store: Store, set: ObservedSet, at: number): SetChanges {
  const held = new Map(readActive(store, set).map((listing) => [identityOf(listing), listing]));
  const changes: SetChanges = { active: [], vanished: [], appeared: [], returned: [], shrunk: [] };
  for (const [identity, observed] of byIdentity(set.listings)) {
    const known = held.get(identity);
    held.delete(identity);
    const listing = known
      ? updateHeld({ store, known, observed, at, changes })
      : bringIn({ store, set, observed, at, changes });
    changes.active.push(listing);
  }
  for (const listing of held.values()) {
    store.run('UPDATE listings SET active = 0, updated_at = ? WHERE id = ?', at, listing.id);
    changes.vanished.push(listing);
  }
  return changes;
}

function readActive(store: Store, set: ObservedSet): HeldListing[] {
  return store.all<HeldListing>(
    `SELECT ${heldColumns} FROM listings WHERE event_id = ? AND source = ? AND active = 1`,
    set.event_id,
    set.source,
  );
}

function byIdentity(listings: readonly Observed[]): Map<string, HeldListing> {
  const found = new Map<string, HeldListing>();
  for (const listing of listings) {
    const seen: HeldListing = {
      id: 0,
      listingId: listing.listing_id,
      zone: listing.zone,
      section: listing.section,
      row: listing.row,
      quantity: listing.quantity,
      priceCents: toCents(listing.price),
      allInCents: listing.all_in_price === null ? null : toCents(listing.all_in_price),
    };
    found.set(identityOf(seen), seen);
  }
  return found;
}

function identityOf(listing: HeldListing): string {
  return `${listing.listingId}\n${listing.zone}\n${listing.section}\n${listing.row}`;
}

function updateHeld(o: {
  store: Store;
  known: HeldListing;
  observed: HeldListing;
  at: number;
  changes: SetChanges;
}): HeldListing {
  const { known, observed } = o;
  const same =
    known.quantity === observed.quantity &&
    known.priceCents === observed.priceCents &&
    known.allInCents === observed.allInCents;
  if (same) return known;
  const listing = { ...observed, id: known.id };
  o.store.run(
    `UPDATE listings SET quantity = ?, price_cents = ?, all_in_cents = ?, updated_at = ?
     WHERE id = ?`,
    listing.quantity,
    listing.priceCents,
    listing.allInCents,
    o.at,
    listing.id,
  );
  if (listing.quantity < known.quantity) {
    // A listing that is still active was not sold completely, even if a sale was reported.
    o.store.run('UPDATE listings SET sold = 0 WHERE id = ?', listing.id);
    o.changes.shrunk.push({ listing, from: known.quantity });
  }
  return listing;
}

function bringIn(o: {
  store: Store;
  set: ObservedSet;
  observed: HeldListing;
  at: number;
  changes: SetChanges;
}): HeldListing {
  const { store, set, observed } = o;
  const earlier = store.get<{ id: number }>(
    `SELECT id FROM listings WHERE event_id = ? AND source = ? AND listing_id = ?
       AND active = 0 AND zone = ? AND section = ? AND row = ? ORDER BY id DESC LIMIT 1`,
    set.event_id,
    set.source,
    toStoredId(observed.listingId),
    observed.zone,
    observed.section,
    observed.row,
  );
  if (earlier) {
    const listing = { ...observed, id: earlier.id };
    store.run(
      `UPDATE listings SET active = 1, sold = 0, quantity = ?, price_cents = ?, all_in_cents = ?,
         updated_at = ? WHERE id = ?`,
      listing.quantity,
      listing.priceCents,
      listing.allInCents,
      o.at,
      listing.id,
    );
    o.changes.returned.push(listing);
    return listing;
  }
  const listing = { ...observed, id: insert(o) };
  o.changes.appeared.push(listing);
  return listing;
}

function insert(o: { store: Store; set: ObservedSet; observed: HeldListing; at: number }): number {
  const { set, observed, at } = o;
  return o.store.run(
    `INSERT INTO listings (event_id, source, listing_id, active, zone, section, row, quantity_start,
       quantity, price_cents, all_in_cents, created_at, updated_at)
     VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    set.event_id,
    set.source,
    toStoredId(observed.listingId),
    observed.zone,
    observed.section,
    observed.row,
    observed.quantity,
    observed.quantity,
    observed.priceCents,
    observed.allInCents,
    at,
    at,
  ).id;
}
