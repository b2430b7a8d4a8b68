// The get-in price of an event over the last day, hour by hour. It is kept on the feed, which a poll writes
// anyway, so that a list of a thousand watches reads it with the feeds.
import type { Snapshot } from '#shared/rules/sources/sources.ts';

/** The last price of each hour in cents, oldest first; 0 if nothing was for sale. */
export interface RecentPrices {
  /** The hour of the newest price, in hours since the epoch. */
  hour: number;
  cents: number[];
}

const hourMs = 3_600_000;
/** A day and the hour before it, so that the change over 24 hours is known. */
export const hoursKept = 25;

/**
 * The prices with those of newly stored snapshots, given oldest first. An hour without a snapshot has the price
 * of the hour before.
 */
export function recentAfter(
  before: RecentPrices | undefined,
  snapshots: readonly Snapshot[],
): RecentPrices | undefined {
  return snapshots.reduce((recent, snapshot) => {
    if (snapshot.feedKind !== 'stats') return recent;
    return withPrice(recent, hourOf(snapshot.observedAt), snapshot.metrics.get_in ?? 0);
  }, before);
}

/** The prices up to the current hour, as if the newest one still holds; `now` is epoch milliseconds. */
export function recentUntil(recent: RecentPrices, now: number): RecentPrices {
  const last = recent.cents.at(-1) ?? 0;
  return hourOf(now) > recent.hour ? withPrice(recent, hourOf(now), last) : recent;
}

/** The price 24 hours before the last hour; 0 if it is not known, or nothing was for sale. */
export function priceDayBefore({ cents }: RecentPrices): number {
  return cents.length < hoursKept ? 0 : (cents[0] ?? 0);
}

/** Whether a stored value can be used. */
export function areRecentPrices(value: unknown): value is RecentPrices {
  const { hour, cents } = Object(value) as Partial<RecentPrices>;
  return Number.isSafeInteger(hour) && Array.isArray(cents) && cents.every(Number.isSafeInteger);
}

function withPrice(recent: RecentPrices | undefined, hour: number, price: number): RecentPrices {
  if (!recent) return { hour, cents: [price] };
  const { cents } = recent;
  if (hour > recent.hour) {
    const hours = Math.min(hour - recent.hour - 1, hoursKept);
    const gap = Array<number>(hours).fill(cents.at(-1) ?? 0);
    return { hour, cents: [...cents, ...gap, price].slice(-hoursKept) };
  }
  const at = cents.length - 1 - (recent.hour - hour);
  return at < 0 ? recent : { ...recent, cents: cents.with(at, price) };
}

function hourOf(at: number): number {
  return Math.floor(at / hourMs);
}
