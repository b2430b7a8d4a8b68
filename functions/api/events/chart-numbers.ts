// The numbers that a chart of an event has: metrics of the event or of its zones, and where they are found in
// what is stored.
import type { ChartRow } from '#shared/charts/thin-rows.ts';
import { isPriceMetricName, METRICS, type MetricName, toldUnits } from '#shared/rules/metric.ts';
import { type HourValue, type PriceDay, partsOf } from '#shared/rules/price-day.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';

/** A metric of the event, or of one zone; a zone has only price metrics. */
export interface ChartNumber {
  metric: MetricName;
  zone: string | null;
}

/** The metrics in each zone, or in the event without one. Zones have no supply metrics: those are the event's. */
export function chartNumbers(
  metrics: readonly MetricName[],
  zones: readonly string[],
): ChartNumber[] {
  return metrics.flatMap((metric): ChartNumber[] => {
    if (zones.length === 0 || !isPriceMetricName(metric)) return [{ metric, zone: null }];
    return zones.map((zone) => ({ metric, zone }));
  });
}

/** The number in a snapshot, in its metric's own unit; null for no value. */
export function valueIn({ metrics, zones }: MarketSnapshot, { metric, zone }: ChartNumber) {
  if (zone === null) return metrics[metric] ?? null;
  if (!isPriceMetricName(metric) || !Object.hasOwn(zones, zone)) return null;
  return zones[zone]?.[metric] ?? null;
}

/** All numbers at a snapshot. */
export function rowOf(snapshot: MarketSnapshot, numbers: readonly ChartNumber[]): ChartRow {
  return {
    at: snapshot.observedAt,
    values: numbers.map((number) => valueIn(snapshot, number)),
  };
}

/**
 * The hours of a day as rows: the values at the last snapshot of each hour, and before them as many rows as its
 * extremes need, in the order in which the extremes came. The last row of an hour has its exact time; the others lie
 * between its first and its last snapshot.
 */
export function hourRows(day: PriceDay, numbers: readonly ChartNumber[]): ChartRow[] {
  const columns = numbers.map((number) => hoursOf(day, number));
  return day.times.flatMap((times, hour) => {
    if (!times) return [];
    const parts = columns.map((hours) => partsOf(hours?.[hour] ?? null));
    return rowsOfHour(times, parts);
  });
}

type Parts = ReturnType<typeof partsOf>;

function rowsOfHour([first, last]: [number, number], parts: readonly Parts[]): ChartRow[] {
  const rows: ChartRow[] = [{ at: last, values: parts.map((part) => part?.last ?? null) }];
  const between = Math.floor((first + last) / 2);
  const needsSecond = parts.some(
    (part) => part && part.second !== part.last && part.second !== part.first,
  );
  const needsFirst = parts.some((part) => part && part.first !== part.last);
  if (needsSecond && between > first && between < last) {
    rows.unshift({ at: between, values: parts.map((part) => part?.second ?? null) });
  }
  if (needsFirst && first < last) {
    rows.unshift({ at: first, values: parts.map((part) => part?.first ?? null) });
  }
  return rows;
}

/** The hours of a number; undefined for a zone that was not listed on the day. */
export function hoursOf(
  { metrics, zones }: PriceDay,
  { metric, zone }: ChartNumber,
): readonly HourValue[] | undefined {
  if (zone === null) return metrics[metric];
  return isPriceMetricName(metric) ? zones.get(zone)?.[metric] : undefined;
}

/** Cents as dollars and basis points as percent; counts stay. */
export function amountOf(metric: MetricName, value: number | null): number | null {
  if (value === null) return null;
  return METRICS[metric].unit === 'count' ? value : value / 100;
}

/** The unit of `amountOf`. */
export function unitOf(metric: MetricName) {
  return toldUnits[METRICS[metric].unit];
}
