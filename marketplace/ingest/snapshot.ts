/**
 * Computes the stats snapshot of one refresh from its active listings. Touches no storage.
 */
import type { StatsSnapshotJson, ZoneBreakdown } from '#shared/marketplace/contract.ts';
import { toIso } from '../clock.ts';
import { fromCents } from './money.ts';

export interface PricedListing {
  zone: string;
  quantity: number;
  priceCents: number;
}

/**
 * Computes the snapshot of the listings active at `at` (epoch milliseconds). A price without
 * listings is 0, because api.md types every price as a number.
 * @param everListed listings ever seen for the event
 * @param sold how many of them were sold; fill rate = sold / ever listed, four decimals
 */
export function computeSnapshot(o: {
  at: number;
  active: readonly PricedListing[];
  everListed: number;
  sold: number;
}): StatsSnapshotJson {
  const byZone = new Map<string, PricedListing[]>();
  for (const listing of o.active) {
    const zone = byZone.get(listing.zone);
    if (zone) zone.push(listing);
    else byZone.set(listing.zone, [listing]);
  }
  const zones: ZoneBreakdown[] = [...byZone.keys()]
    .sort()
    .map((zone) => ({ zone_name: zone, ...computePrices(byZone.get(zone) ?? []) }));
  return {
    timestamp: toIso(o.at),
    total_listings_all: o.everListed,
    total_listings_active: o.active.length,
    listing_fill_rate: o.everListed === 0 ? 0 : Math.round((o.sold / o.everListed) * 1e4) / 1e4,
    ...computePrices(o.active),
    zones,
  };
}

function computePrices(listings: readonly PricedListing[]) {
  const prices = new Float64Array(listings.length);
  let total = 0;
  let getIn = Number.POSITIVE_INFINITY;
  let getInPair = Number.POSITIVE_INFINITY;
  for (const [index, { priceCents, quantity }] of listings.entries()) {
    prices[index] = priceCents;
    total += priceCents;
    if (priceCents < getIn) getIn = priceCents;
    if (quantity >= 2 && priceCents < getInPair) getInPair = priceCents;
  }
  return {
    avg_price: listings.length === 0 ? 0 : fromCents(Math.round(total / listings.length)),
    median_price: fromCents(Math.round(medianOf(prices.sort()))),
    get_in: finiteOrZero(getIn),
    get_in_qty2plus: finiteOrZero(getInPair),
  };
}

function medianOf(sorted: Float64Array): number {
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function finiteOrZero(cents: number): number {
  return Number.isFinite(cents) ? fromCents(cents) : 0;
}
