// The price of a pull, and when a feed is worth it: as soon as the expected waiting of its alerts reaches the price.
// Pure.
import { alertsWithin } from './reach.ts';

/** What decides the next pull of one feed. */
export interface PullDemand {
  /** The time between two paid pulls without a budget: the refresh gap or the latency, whichever is longer. */
  naturalMs: number;
  /** The time between two refreshes. */
  gapMs: number;
  /** The newest refresh that was seen, epoch milliseconds; undefined before the first. */
  seenAt: number | undefined;
  /** No pull is worth anything after this time, epoch milliseconds. */
  endsAt: number;
  /** The cost of a minute that one alert waits; 1 for a latency of a minute, days before the event. */
  weight: number;
  /** Expected alerts by the triggers (reach.ts), already multiplied by how often they come true. */
  curve: readonly number[];
  /** Alerts a refresh by the event's own rate. */
  perRefresh: number;
}

/** A demand with its expected waiting at some numbers of refreshes, so that a turn at any price is one look. */
export interface PricedDemand extends PullDemand {
  /** In minutes of waiting, weighted, at each of `marks`. */
  waits: readonly number[];
}

const minuteMs = 60_000;

/** The numbers of refreshes after which the waiting is computed: steps of a quarter, to about a thousand. */
export const marks: readonly number[] = Array.from({ length: 34 }, (_, index) =>
  index === 0 ? 0.5 : Math.max(index, 1.25 ** index),
);

/** The expected alerts within so many refreshes. */
export function alertsBy({ curve, perRefresh }: PullDemand, refreshes: number): number {
  return alertsWithin(curve, refreshes) + perRefresh * refreshes;
}

/** Computes the waiting of a demand. Alerts come evenly between two marks. */
export function priceDemand(demand: PullDemand): PricedDemand {
  const minutes = (demand.weight * demand.gapMs) / minuteMs;
  let [waited, before, alerts] = [0, 0, 0];
  const waits = marks.map((mark) => {
    const next = alertsBy(demand, mark);
    waited += (minutes * (alerts + next) * (mark - before)) / 2;
    [before, alerts] = [mark, next];
    return waited;
  });
  return { ...demand, waits };
}

/** After how many refreshes the waiting reaches the price; infinite beyond the last mark. */
export function refreshesUntil({ waits }: PricedDemand, price: number): number {
  const index = firstAtLeast(waits, price);
  if (index === waits.length) return Number.POSITIVE_INFINITY;
  const [mark, waited] = [marks[index] ?? 0, waits[index] ?? 0];
  const [markBefore, waitedBefore] = [marks[index - 1] ?? 0, waits[index - 1] ?? 0];
  const share = (price - waitedBefore) / Math.max(1e-12, waited - waitedBefore);
  return markBefore + share * (mark - markBefore);
}

function firstAtLeast(values: readonly number[], least: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ten years: longer than any feed lives. */
const everMs = 10 * 365 * 86_400_000;

/** What a pull must be worth now. */
export interface PullTerms {
  /** In minutes of waiting; 0 while the budget covers all demand. */
  pullPrice: number;
  /** No feed waits longer for its turn, however little is expected of it, because that may be wrong. */
  longestMs?: number | undefined;
}

/** The time from the newest seen refresh to the pull that is worth the price; 0 if the natural time is longer. */
export function spacingAt(
  demand: PricedDemand,
  { pullPrice, longestMs = everMs }: PullTerms,
): number {
  if (pullPrice <= 0) return 0;
  const worthMs = refreshesUntil(demand, pullPrice) * demand.gapMs;
  const spacingMs = Math.min(longestMs, everMs, worthMs);
  return spacingMs > demand.naturalMs ? spacingMs : 0;
}

/** Pulls per millisecond at a price; none if the event begins before the pull. */
export function rateAt(demand: PricedDemand, terms: PullTerms): number {
  const spacingMs = Math.max(demand.naturalMs, spacingAt(demand, terms));
  const isTooLate =
    (demand.seenAt ?? 0) + spacingMs > demand.endsAt && spacingMs > demand.naturalMs;
  return isTooLate ? 0 : 1 / spacingMs;
}

/** No price is higher, in minutes of waiting. */
const mostPrice = 1e9;

/**
 * The lowest price at which the fleet spends no more than a rate (pulls per millisecond); 0 if the demand fits.
 * @param trust how far turns may be apart, in the mean of all feeds.
 */
export function findPrice(
  demands: readonly PricedDemand[],
  pullsPerMs: number,
  trust: number = Number.POSITIVE_INFINITY,
): { pullPrice: number; longestMs: number } {
  const longestMs = Math.min(everMs, (trust * demands.length) / Math.max(1e-15, pullsPerMs));
  const rate = (pullPrice: number) =>
    demands.reduce((sum, demand) => sum + rateAt(demand, { pullPrice, longestMs }), 0);
  if (rate(0) <= pullsPerMs) return { pullPrice: 0, longestMs };
  let [low, high] = [1e-4, mostPrice];
  for (let step = 0; step < 48 && high / low > 1.001; step += 1) {
    const middle = Math.sqrt(low * high);
    if (rate(middle) > pullsPerMs) low = middle;
    else high = middle;
  }
  return { pullPrice: high, longestMs };
}
