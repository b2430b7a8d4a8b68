// The get-in price of an event over the last day, hour by hour, and over the last week, by three hours. It is kept
// on the feed, which a poll writes anyway, so that a list of a thousand watches reads it with the feeds.
import type { Snapshot } from '#shared/rules/sources/sources.ts';

/** The last price of each hour in cents, oldest first; 0 if nothing was for sale. */
export interface RecentPrices {
  /** The hour of the newest price, in hours since the epoch. */
  hour: number;
  cents: number[];
  /** The last price of each three hours since the epoch; absent on feeds of earlier releases. */
  week?: number[] | undefined;
}

const hourMs = 3_600_000;
/** A day and the hour before it, so that the change over 24 hours is known. */
export const hoursKept = 25;
const hoursOfPart = 3;
/** Seven days of three hours each. */
export const partsKept = 56;

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

/** The prices of the week; as far as the hours reach on a feed of an earlier release. */
export function weekOf({ hour, cents, week }: RecentPrices): number[] {
  if (week) return week;
  const first = hour - cents.length + 1;
  return cents.filter((_, index) => {
    const next = first + index + 1;
    return index === cents.length - 1 || next % hoursOfPart === 0;
  });
}

/** Whether a stored value can be used. */
export function areRecentPrices(value: unknown): value is RecentPrices {
  const { hour, cents, week = [] } = Object(value) as Partial<RecentPrices>;
  const areLists = [cents, week].every((list) => Array.isArray(list) && list.every(isWhole));
  return isWhole(hour) && areLists;
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function withPrice(recent: RecentPrices | undefined, hour: number, price: number): RecentPrices {
  if (!recent) return { hour, cents: [price], week: [price] };
  const { cents } = recent;
  if (hour < recent.hour) {
    const at = cents.length - 1 - (recent.hour - hour);
    // The last price of its three hours is known already.
    return at < 0 ? recent : { ...recent, cents: cents.with(at, price) };
  }
  const parts = partOf(hour) - partOf(recent.hour);
  return {
    hour,
    cents: extended(cents, hour - recent.hour, price).slice(-hoursKept),
    week: extended(weekOf(recent), parts, price).slice(-partsKept),
  };
}

/** The values with a price so many places after the last; places between have the value before them. */
function extended(values: readonly number[], places: number, price: number): number[] {
  if (places === 0) return [...values.slice(0, -1), price];
  const gap = Array<number>(Math.min(places - 1, partsKept)).fill(values.at(-1) ?? 0);
  return [...values, ...gap, price];
}

function hourOf(at: number): number {
  return Math.floor(at / hourMs);
}

function partOf(hour: number): number {
  return Math.floor(hour / hoursOfPart);
}
