// The numbers of an event over one UTC day, hour by hour: the last value and the extremes of every metric, of the
// event and of each zone. Charts of weeks and months are drawn from these instead of from thousands of snapshots.
import { type MetricName, metricNames, type PriceMetricName, priceMetricNames } from './metric.ts';
import type { MarketSnapshot, ZoneMetrics } from './snapshot.ts';
import { HOUR_MS } from './window.ts';

/**
 * One number in one hour, in its metric's unit. A plain value did not move; a moved one has its two extremes, in the
 * order in which they came, and the last value. null where there was no value.
 */
export type HourValue = number | null | [first: number, second: number, last: number | null];

/** By hour of the day, 0 to 23. */
export type Hours = readonly HourValue[];

export interface PriceDay {
  /** Midnight UTC, epoch milliseconds. */
  startsAt: number;
  /** By hour: when its first and its last snapshot were taken, epoch milliseconds; null without a snapshot. */
  times: readonly ([first: number, last: number] | null)[];
  metrics: Readonly<Record<MetricName, Hours>>;
  /** By the zone's name; a zone that was never listed on the day is absent. */
  zones: ReadonlyMap<string, Readonly<Record<PriceMetricName, Hours>>>;
}

const hoursOfDay = 24;

/** A day without a snapshot; `startsAt` is midnight UTC, epoch milliseconds. */
export function emptyDay(startsAt: number): PriceDay {
  return {
    startsAt,
    times: Array<null>(hoursOfDay).fill(null),
    metrics: forEach(metricNames, noHours),
    zones: new Map(),
  };
}

/**
 * The day with more of its snapshots. Adding one again changes nothing, and the order matters only for which
 * extreme of an hour came first.
 */
export function dayAfter(before: PriceDay, snapshots: readonly MarketSnapshot[]): PriceDay {
  const times = [...before.times];
  const metrics = forEach(metricNames, (name) => [...before.metrics[name]]);
  const zones = new Map([...before.zones].map(([name, hours]) => [name, copied(hours)]));
  for (const snapshot of snapshots) {
    const { observedAt } = snapshot;
    const hour = Math.floor((observedAt - before.startsAt) / HOUR_MS);
    const known = times[hour];
    if (known === undefined) continue;
    const isNewest = known === null || observedAt >= known[1];
    times[hour] = known
      ? [Math.min(known[0], observedAt), Math.max(known[1], observedAt)]
      : [observedAt, observedAt];
    const add = (hours: HourValue[], value: number | null) => {
      hours[hour] = valueAfter(hours[hour] ?? null, value, { isFirst: !known, isNewest });
    };
    for (const name of metricNames) add(metrics[name], snapshot.metrics[name]);
    for (const [zone, values] of Object.entries(snapshot.zones)) {
      addZone(zoneOf(zones, zone), values, add);
    }
  }
  return { startsAt: before.startsAt, times, metrics, zones };
}

type ZoneHours = Record<PriceMetricName, HourValue[]>;

function zoneOf(zones: Map<string, ZoneHours>, name: string): ZoneHours {
  const known = zones.get(name) ?? forEach(priceMetricNames, noHours);
  zones.set(name, known);
  return known;
}

function addZone(
  hours: ZoneHours,
  values: ZoneMetrics,
  add: (hours: HourValue[], value: number | null) => void,
): void {
  for (const name of priceMetricNames) add(hours[name], values[name]);
}

function copied(hours: Readonly<Record<PriceMetricName, Hours>>): ZoneHours {
  return forEach(priceMetricNames, (name) => [...hours[name]]);
}

function noHours(): HourValue[] {
  return Array<null>(hoursOfDay).fill(null);
}

function forEach<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

/** The extremes of an hour in their order, and its last value; undefined if it has no value at all. */
export function partsOf(
  value: HourValue,
): { first: number; second: number; last: number | null } | undefined {
  if (value === null) return undefined;
  const [first, second, last] = Array.isArray(value) ? value : [value, value, value];
  return { first, second, last };
}

function valueAfter(
  before: HourValue,
  value: number | null,
  { isFirst, isNewest }: { isFirst: boolean; isNewest: boolean },
): HourValue {
  const parts = partsOf(before);
  if (!parts) return isFirst || isNewest || value === null ? value : [value, value, null];
  const last = isNewest ? value : parts.last;
  if (value === null) return inForm({ ...parts, last });
  const low = Math.min(parts.first, parts.second);
  const high = Math.max(parts.first, parts.second);
  if (value >= low && value <= high) return inForm({ ...parts, last });
  const other = value < low ? high : low;
  // A late snapshot is earlier than what is known.
  const [first, second] = isNewest ? [other, value] : [value, other];
  return inForm({ first, second, last });
}

function inForm(parts: { first: number; second: number; last: number | null }): HourValue {
  const { first, second, last } = parts;
  return first === second && second === last ? last : [first, second, last];
}
