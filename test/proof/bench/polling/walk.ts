// A market whose prices move as prices do: a random walk of 3 to 7 % a day with fat tails, no mis-keyed
// prices, no patterns. Beside it one whose prices only oscillate, where nothing can be gained by looking ahead.
import { between, hash, unit } from '#marketplace/simulator/random.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Market } from './market.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Refreshes before the start, which the first pull returns. */
const historyTicks = 6;

export interface MarketSize {
  events: number;
  days: number;
  seed: number;
}

/** The log price of each refresh of one event, without end. */
type LogPrices = (place: { seed: number; index: number; perDay: number }) => Generator<number>;

/** Each event refreshes every 20 to 40 minutes and starts 2 to 40 days after the market's start. */
export function walkMarket(size: MarketSize): Market {
  return marketOf('random walk', size, walk);
}

/** As `walkMarket`, but each price stays within 10 % of the event's own. */
export function oscillatingMarket(size: MarketSize): Market {
  return marketOf('oscillating', size, oscillate);
}

function marketOf(name: string, { events, days, seed }: MarketSize, prices: LogPrices): Market {
  const startMs = Date.parse('2026-11-02T00:00:00Z');
  const endMs = startMs + days * dayMs;
  return {
    ...{ name, startMs, endMs },
    events: Array.from({ length: events }, (_, index) => {
      const intervalMs = between(20, 40, seed, 80, index) * minuteMs;
      const firstMs = startMs - historyTicks * intervalMs + (hash(seed, 81, index) % intervalMs);
      const startsAt = startMs + between(2 * 24, 40 * 24, seed, 82, index) * 3_600_000;
      const eventId = 100_000 + index;
      const series: MarketSnapshot[] = [];
      const values = prices({ seed, index, perDay: dayMs / intervalMs });
      for (let at = firstMs; at < Math.min(endMs, startsAt); at += intervalMs) {
        series.push(snapshotOf(eventId, at, Math.round(Math.exp(values.next().value))));
      }
      return { eventId, startsAt, series };
    }),
  };
}

function* walk({ seed, index, perDay }: Parameters<LogPrices>[0]): Generator<number> {
  const step = between(30, 70, seed, 83, index) / 1_000 / Math.sqrt(perDay);
  let log = Math.log(between(4_000, 40_000, seed, 84, index));
  for (let tick = 0; ; tick += 1) {
    yield log;
    log += step * fatTailed(seed, 85, index, tick);
  }
}

function* oscillate({ seed, index, perDay }: Parameters<LogPrices>[0]): Generator<number> {
  const centre = Math.log(between(4_000, 40_000, seed, 84, index));
  const periodTicks = (perDay * between(6, 48, seed, 86, index)) / 24;
  const size = between(30, 100, seed, 87, index) / 1_000;
  for (let tick = 0; ; tick += 1) {
    const wave = Math.sin((2 * Math.PI * tick) / periodTicks + index);
    yield centre + size * wave + 0.01 * fatTailed(seed, 88, index, tick);
  }
}

/** Variance 1: one step in twenty is four times as large as the others. */
function fatTailed(...place: number[]): number {
  const size = unit(...place, 1) < 0.05 ? 4 : 1;
  const radius = Math.sqrt(-2 * Math.log(1 - unit(...place, 2)));
  return (size * radius * Math.cos(2 * Math.PI * unit(...place, 3))) / Math.sqrt(0.95 + 0.05 * 16);
}

function snapshotOf(eventId: number, observedAt: number, cents: number): MarketSnapshot {
  return {
    feedKind: 'stats',
    ...{ eventId, observedAt },
    metrics: {
      get_in: cents,
      get_in_qty2plus: cents,
      avg_price: cents,
      median_price: cents,
      total_listings_active: 100,
      listing_fill_rate: null,
    },
    zones: {},
  };
}
