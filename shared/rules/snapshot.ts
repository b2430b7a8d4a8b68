/**
 * A stats snapshot for rules: integers, and null for no value. Decides what counts as a value; stores
 * nothing.
 */
import type { ZoneBreakdown } from '#shared/marketplace/contract/stats.ts';
import type { StatsSnapshot } from '#shared/marketplace/reading/stats.ts';
import type { MetricName, PriceMetricName } from './metric.ts';
import { WHOLE_BPS } from './money.ts';
import { centsOf, isPrice, MOST } from './units.ts';

/** Per metric: cents, a count, or basis points; null for no value. */
export type SnapshotMetrics = Record<MetricName, number | null>;
export type ZoneMetrics = Record<PriceMetricName, number | null>;

/** The domain's view of a stats snapshot. */
export interface MarketSnapshot {
  feedKind: 'stats';
  eventId: number;
  /** When the market had these values, epoch milliseconds. */
  observedAt: number;
  metrics: SnapshotMetrics;
  /** By the zone's name as in the stats. Zones that the snapshot lacks are absent. */
  zones: Record<string, ZoneMetrics>;
}

/**
 * Reads a stats row (api.md, Stats snapshot). A price that is missing, null or not above 0 is no value.
 * Without an active listing, every price is no value, because nothing can be bought.
 */
export function snapshotFromStats(eventId: number, row: StatsSnapshot): MarketSnapshot {
  const isEmptyMarket = row.total_listings_active === 0;
  return {
    feedKind: 'stats',
    eventId,
    observedAt: Date.parse(row.timestamp),
    metrics: {
      ...pricesOf(row, isEmptyMarket),
      total_listings_active: countOrNull(row.total_listings_active),
      listing_fill_rate: bpsOrNull(row.listing_fill_rate),
    },
    zones: Object.fromEntries(
      row.zones.map((zone) => [zone.zone_name.toWellFormed(), pricesOf(zone, isEmptyMarket)]),
    ),
  };
}

type PriceFields = Pick<ZoneBreakdown, PriceMetricName>;

function pricesOf(row: PriceFields, isEmptyMarket: boolean): ZoneMetrics {
  const read = (price: number | null) => (isEmptyMarket ? null : priceOrNull(price));
  return {
    get_in: read(row.get_in),
    get_in_qty2plus: read(row.get_in_qty2plus),
    avg_price: read(row.avg_price),
    median_price: read(row.median_price),
  };
}

function priceOrNull(price: number | null): number | null {
  if (price === null) return null;
  const cents = centsOf(price);
  return isPrice(cents) ? cents : null;
}

function countOrNull(count: number): number | null {
  return count <= MOST ? count : null;
}

function bpsOrNull(rate: number | null): number | null {
  if (rate === null || Math.abs(rate) > MOST / WHOLE_BPS) return null;
  return Math.round(rate * WHOLE_BPS);
}
