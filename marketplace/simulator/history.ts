/**
 * The stats snapshots of the days before a simulation starts. Prices follow the same trend as the
 * live market's and join its first refresh; listings have no history.
 */
import type { StatsSnapshotJson } from '#shared/marketplace/contract.ts';
import { toIso } from '../clock.ts';
import type { SimulatedEvent } from './catalog.ts';
import { trendAt } from './prices.ts';
import { unit } from './random.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/**
 * Distance between snapshots up to an age: about 200 for 90 days, one page of the stats endpoint.
 */
const spacings = [
  { upToMs: 2 * dayMs, everyMs: hourMs },
  { upToMs: 14 * dayMs, everyMs: 4 * hourMs },
  { upToMs: Number.POSITIVE_INFINITY, everyMs: dayMs },
] as const;

/**
 * Daily noise of a zone's prices, as a share; measured in the recorded games long before their day.
 */
const dailyNoise = 0.025;

/** Times of the snapshots between `from` and `until`, oldest first, epoch milliseconds. */
export function historyTimes(from: number, until: number): number[] {
  const times: number[] = [];
  for (let at = until; ; ) {
    const age = until - at;
    at -= spacings.find(({ upToMs }) => age < upToMs)?.everyMs ?? dayMs;
    if (at < from) return times.reverse();
    times.push(at);
  }
}

/**
 * The snapshot at `at` of an event whose first live snapshot is `first`; its prices lead up to
 * that.
 */
export function snapshotBefore(
  event: SimulatedEvent,
  first: StatsSnapshotJson,
  at: number,
): StatsSnapshotJson {
  const firstAt = Date.parse(first.timestamp);
  const trend = trendAt(event, at) / trendAt(event, firstAt);
  const factorOf = (salt: number): number =>
    trend * Math.exp(noiseAt(event, salt, at) - noiseAt(event, salt, firstAt));
  const zones = first.zones.map((zone, index) => ({
    zone_name: zone.zone_name,
    ...scale(zone, factorOf(index)),
  }));
  const grown = 1 - 0.6 * Math.min(1, (firstAt - at) / (100 * dayMs));
  const listed = Math.max(1, Math.round(first.total_listings_all * grown));
  return {
    timestamp: toIso(at),
    total_listings_all: listed,
    total_listings_active: Math.min(listed, first.total_listings_active),
    listing_fill_rate: 0,
    ...scale(first, factorOf(0)),
    ...cheapestOf(zones),
    zones,
  };
}

type Prices = Pick<StatsSnapshotJson, 'avg_price' | 'median_price' | 'get_in' | 'get_in_qty2plus'>;

function scale(prices: Prices, factor: number): Prices {
  const by = (price: number | null): number => Math.round((price ?? 0) * factor * 4) / 4;
  return {
    avg_price: by(prices.avg_price),
    median_price: by(prices.median_price),
    get_in: by(prices.get_in),
    get_in_qty2plus: by(prices.get_in_qty2plus),
  };
}

/** The event's cheapest seats are in its cheapest zone. */
function cheapestOf(zones: readonly Prices[]): Pick<Prices, 'get_in' | 'get_in_qty2plus'> {
  const least = (prices: (number | null)[]): number => {
    const offered = prices.filter((price): price is number => price !== null && price > 0);
    return offered.length === 0 ? 0 : Math.min(...offered);
  };
  return {
    get_in: least(zones.map((zone) => zone.get_in)),
    get_in_qty2plus: least(zones.map((zone) => zone.get_in_qty2plus)),
  };
}

/** Smooth noise: one value a day, linear in between. */
function noiseAt(event: SimulatedEvent, salt: number, at: number): number {
  const day = Math.floor(at / dayMs);
  const knot = (index: number): number =>
    (unit(event.seed, 60, salt, index) - 0.5) * 2 * dailyNoise;
  const within = at / dayMs - day;
  return knot(day) * (1 - within) + knot(day + 1) * within;
}
