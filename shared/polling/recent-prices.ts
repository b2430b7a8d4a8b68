// The get-in price of an event, and of the zones that rules are about, over the last day, hour by hour, and over the
// last week, by three hours. It is kept on the feed, which a poll writes anyway, so that a list of a thousand watches
// reads it with the feeds.
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';

/** The last price of each hour in cents, oldest first; 0 if nothing was for sale. */
export interface PriceLine {
  /** The hour of the newest price, in hours since the epoch. */
  hour: number;
  cents: number[];
  /** The last price of each three hours since the epoch; absent on feeds of earlier releases. */
  week?: number[] | undefined;
}

/** The prices of a zone, by the name that it has in the stats. */
interface ZoneLine extends PriceLine {
  name: string;
}

/** The prices of the event, and of each zone that a rule is about. */
export interface RecentPrices extends PriceLine {
  /** Absent without such rules, and on feeds of earlier releases. */
  zones?: ZoneLine[] | undefined;
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
 * @param zones whose prices are kept; those of other zones are dropped
 * @param pastOf the prices of a zone that is new here, with those of the snapshots
 */
export function recentAfter(
  before: RecentPrices | undefined,
  snapshots: readonly Snapshot[],
  { zones = [], pastOf = () => undefined }: WatchedZones = {},
): RecentPrices | undefined {
  const event = lineAfter(before, snapshots, ({ metrics }) => metrics.get_in);
  if (!event) return undefined;
  const lines = zones.flatMap((name) => {
    const known = before?.zones?.find((zone) => zone.name === name) ?? pastOf(name);
    const line = lineAfter(known, snapshots, (snapshot) => zonePrice(snapshot, name));
    return line ? [{ ...line, name }] : [];
  });
  const { zones: _, ...own } = event as RecentPrices;
  return { ...own, ...(lines.length > 0 && { zones: lines }) };
}

interface WatchedZones {
  zones?: readonly string[];
  pastOf?: (zone: string) => PriceLine | undefined;
}

/** The zones of which nothing is known yet. */
export function newZones(
  recent: RecentPrices | undefined,
  zones: readonly string[],
): readonly string[] {
  return zones.filter((name) => !recent?.zones?.some((zone) => zone.name === name));
}

function lineAfter(
  before: PriceLine | undefined,
  snapshots: readonly Snapshot[],
  priceOf: (snapshot: MarketSnapshot) => number | null | undefined,
): PriceLine | undefined {
  return snapshots.reduce((line, snapshot) => {
    if (snapshot.feedKind !== 'stats') return line;
    return withPrice(line, hourOf(snapshot.observedAt), priceOf(snapshot) ?? 0);
  }, before);
}

/** The get-in price of a zone in a snapshot, in cents; null if nothing is for sale there. */
export function zonePrice({ zones }: MarketSnapshot, name: string): number | null {
  return Object.hasOwn(zones, name) ? (zones[name]?.get_in ?? null) : null;
}

/** The prices of hours since the epoch, oldest first, in cents; undefined if there is none. */
export function lineOf(hours: readonly { hour: number; cents: number }[]): PriceLine | undefined {
  let line: PriceLine | undefined;
  for (const { hour, cents } of hours) line = withPrice(line, hour, cents);
  return line;
}

/** The prices up to the current hour, as if the newest one still holds; `now` is epoch milliseconds. */
export function lineUntil(line: PriceLine, now: number): PriceLine {
  const last = line.cents.at(-1) ?? 0;
  return hourOf(now) > line.hour ? withPrice(line, hourOf(now), last) : line;
}

/** The price 24 hours before the last hour; 0 if it is not known, or nothing was for sale. */
export function priceDayBefore({ cents }: PriceLine): number {
  return cents.length < hoursKept ? 0 : (cents[0] ?? 0);
}

/** The prices of the week; as far as the hours reach on a feed of an earlier release. */
export function weekOf({ hour, cents, week }: PriceLine): number[] {
  if (week) return week;
  const first = hour - cents.length + 1;
  return cents.filter((_, index) => {
    const next = first + index + 1;
    return index === cents.length - 1 || next % hoursOfPart === 0;
  });
}

/** Whether a stored value can be used. */
export function areRecentPrices(value: unknown): value is RecentPrices {
  const { zones = [] } = Object(value) as Partial<RecentPrices>;
  return isLine(value) && Array.isArray(zones) && zones.every(isZone);
}

function isLine(value: unknown): value is PriceLine {
  const { hour, cents, week = [] } = Object(value) as Partial<PriceLine>;
  const areLists = [cents, week].every((list) => Array.isArray(list) && list.every(isWhole));
  return isWhole(hour) && areLists;
}

function isZone(value: unknown): boolean {
  return isLine(value) && typeof (value as { name?: unknown }).name === 'string';
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function withPrice(line: PriceLine | undefined, hour: number, price: number): PriceLine {
  if (!line) return { hour, cents: [price], week: [price] };
  const { cents } = line;
  if (hour < line.hour) {
    const at = cents.length - 1 - (line.hour - hour);
    // The last price of its three hours is known already.
    return at < 0 ? line : { ...line, cents: cents.with(at, price) };
  }
  const parts = partOf(hour) - partOf(line.hour);
  return {
    ...line,
    hour,
    cents: extended(cents, hour - line.hour, price).slice(-hoursKept),
    week: extended(weekOf(line), parts, price).slice(-partsKept),
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
