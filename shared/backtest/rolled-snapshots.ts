// Snapshots of one series alone, from the values that rollups keep for two years: raw snapshots are gone after
// 90 days.
import type { Point } from '#shared/rules/history.ts';
import { metricNames } from '#shared/rules/metric.ts';
import { parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import type { MarketSnapshot, SnapshotMetrics, ZoneMetrics } from '#shared/rules/snapshot.ts';
import { type BaseSeries, baseKeyOf, currentOf } from '#shared/rules/sources/sources.ts';

/**
 * The one series whose values are enough for a rule.
 * @returns undefined if the rule reads several, or one without rollups.
 */
export function onlySeriesOf(series: readonly SeriesKey[]): BaseSeries | undefined {
  const bases = series.map((key) => currentOf(parseSeries(key).base));
  const [first] = bases;
  if (first?.kind !== 'metric') return undefined;
  return bases.every((base) => baseKeyOf(base) === baseKeyOf(first)) ? first : undefined;
}

/** One snapshot for each value; every other number in it is absent. */
export function rolledSnapshots(
  eventId: number,
  base: BaseSeries,
  points: readonly Point[],
): MarketSnapshot[] {
  if (base.kind !== 'metric') return [];
  const { metric, zone } = base;
  return points.map(({ at: observedAt, value }) => {
    const own = { ...withoutValues, [metric]: value };
    const snapshot = { feedKind: 'stats' as const, eventId, observedAt };
    if (zone === null) return { ...snapshot, metrics: own, zones: {} };
    const prices: ZoneMetrics = own;
    return { ...snapshot, metrics: withoutValues, zones: { [zone]: prices } };
  });
}

// `fromEntries` forgets the names that it was given.
const withoutValues = Object.fromEntries(
  metricNames.map((name) => [name, null]),
) as SnapshotMetrics;
