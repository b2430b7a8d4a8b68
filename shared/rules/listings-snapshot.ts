/**
 * The snapshot of an event's listings for rules: the cheapest matches of each filter in use. Keeps no other
 * listings.
 */
import type { Listing } from '#shared/marketplace/reading/listings.ts';
import { type FilterKey, listingMatcher } from './language/listing-filter.ts';
import { centsOf, isPrice } from './units.ts';

/** A listing in an alert. The marketplace reuses listing ids, so `key` also has the creation time. */
export interface ListingMatch {
  key: string;
  zone: string;
  section: string;
  row: string;
  quantity: number;
  priceCents: number;
}

export interface FilterSummary {
  /** How many active listings match. */
  count: number;
  cheapestCents: number | null;
  /** The cheapest match's price if that listing is new or was dearer at the previous refresh; else null. */
  newCheapestCents: number | null;
  /** The cheapest matches, cheapest first, at most `MATCHES_KEPT`. */
  matches: ListingMatch[];
}

export interface ListingsSnapshot {
  feedKind: 'listings';
  eventId: number;
  /** When the marketplace refreshed, epoch milliseconds. */
  observedAt: number;
  filters: Record<FilterKey, FilterSummary>;
}

export const MATCHES_KEPT = 20;

export interface ListingsRefresh {
  eventId: number;
  observedAt: number;
  /** Every row of the event; delisted rows are skipped. */
  rows: readonly Listing[];
  /** The filters that rules of the event use. */
  filters: readonly FilterKey[];
  /** The previous snapshot; null if there is none. */
  previous: ListingsSnapshot | null;
}

/** Makes the snapshot from all listing rows of a poll (api.md, Listing row). */
export function snapshotFromListings(refresh: ListingsRefresh): ListingsSnapshot {
  const { eventId, observedAt, rows, filters, previous } = refresh;
  const active = rows
    .filter((row) => row.active !== false && isPrice(centsOf(row.price)))
    .map(matchOf);
  active.sort((a, b) => a.priceCents - b.priceCents || (a.key < b.key ? -1 : 1));
  const summaries = filters.map((filter): [FilterKey, FilterSummary] => {
    const before = previous && Object.hasOwn(previous.filters, filter);
    return [filter, summarize(active, filter, before ? previous.filters[filter] : undefined)];
  });
  return { feedKind: 'listings', eventId, observedAt, filters: Object.fromEntries(summaries) };
}

function summarize(
  active: readonly ListingMatch[],
  filter: FilterKey,
  before: FilterSummary | undefined,
): FilterSummary {
  const matches = active.filter(listingMatcher(filter));
  const cheapest = matches[0] ?? null;
  return {
    count: matches.length,
    cheapestCents: cheapest?.priceCents ?? null,
    newCheapestCents: cheapest && isNew(cheapest, before) ? cheapest.priceCents : null,
    matches: matches.slice(0, MATCHES_KEPT).map(withShortNames),
  };
}

/** Without a previous refresh no listing counts as new. */
function isNew(cheapest: ListingMatch, before: FilterSummary | undefined): boolean {
  if (!before) return false;
  const known = before.matches.find((match) => match.key === cheapest.key);
  return known === undefined || cheapest.priceCents < known.priceCents;
}

/** Stored names are only for display; the filters matched the full names. */
const NAME_LENGTH = 200;

function withShortNames(match: ListingMatch): ListingMatch {
  return {
    ...match,
    zone: short(match.zone),
    section: short(match.section),
    row: short(match.row),
  };
}

function short(name: string): string {
  return name.slice(0, NAME_LENGTH).toWellFormed();
}

function matchOf(row: Listing): ListingMatch {
  return {
    key: `${row.listing_id}@${row.created_at}`,
    zone: row.zone.toWellFormed(),
    section: row.section.toWellFormed(),
    row: row.row.toWellFormed(),
    quantity: row.quantity,
    priceCents: centsOf(row.price),
  };
}
