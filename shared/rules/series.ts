/**
 * Series: named numbers at a snapshot, and their canonical keys. Reads values; keeps none.
 */

import { isMetricName, isZoneMetricName, type MetricName } from './metric.ts';
import type { MarketSnapshot } from './snapshot.ts';

/**
 * A series' canonical, sortable name: `stats/get_in`, `stats/get_in/zone=Lower%20Bowl`. Equal
 * questions have equal keys, so that triggers on them share one series.
 */
export type SeriesKey = string;

export type SeriesFeedKind = 'stats' | 'listings';

/** A stats metric of the whole event (`zone` null) or of one zone. */
export interface MetricSeries {
  metric: MetricName;
  zone: string | null;
}

/** Thrown for a key that no version of this code can have written. */
export class UnknownSeriesError extends Error {
  override readonly name = 'UnknownSeriesError';

  constructor(series: string) {
    super(`"${series}" is not a series`);
  }
}

export function seriesKeyOf({ metric, zone }: MetricSeries): SeriesKey {
  return zone === null ? `stats/${metric}` : `stats/${metric}/zone=${encodeURIComponent(zone)}`;
}

/** @throws UnknownSeriesError */
export function parseSeries(series: SeriesKey): MetricSeries {
  const [, metric = '', zone = null] =
    /^stats\/([a-z0-9_]+)(?:\/zone=([^/]+))?$/.exec(series) ?? [];
  if (!isMetricName(metric)) throw new UnknownSeriesError(series);
  return { metric, zone: zone === null ? null : decodeURIComponent(zone) };
}

/** The feed whose snapshots move this series. */
export function feedKindOf(series: SeriesKey): SeriesFeedKind {
  return series.startsWith('listings/') ? 'listings' : 'stats';
}

/** Earlier values of the event's series; what window transforms read. */
export type History = Record<string, never>;

/**
 * The series' value at the snapshot: cents for money, counts as they are, basis points for rates.
 * Null is "no value".
 * @throws UnknownSeriesError
 */
export function seriesValue(
  series: SeriesKey,
  snapshot: MarketSnapshot,
  _history?: History,
): number | null {
  const { metric, zone } = parseSeries(series);
  if (zone === null) return snapshot.metrics[metric];
  if (!isZoneMetricName(metric) || !Object.hasOwn(snapshot.zones, zone)) return null;
  return snapshot.zones[zone]?.[metric] ?? null;
}
