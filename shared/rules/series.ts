/**
 * The canonical names of series: which number, of which part of the event, with which transform. Formats and
 * parses names; reading.ts reads values.
 */
import { type FeedKind, metricsFeed } from '#shared/polling/feed-kinds.ts';
import { type BaseSeries, baseKeyOf, kindNamedBy, parseBase } from './sources/sources.ts';
import { isSpanName, type SpanName } from './window.ts';

/**
 * A series' canonical, sortable name: `stats/get_in`, `stats/get_in/zone=Lower%20Bowl`,
 * `stats/get_in/drop_pct:high:24h`, `listings/cheapest/sections=101-105;min_quantity=2`. Equal series have
 * equal keys, so that their triggers share one series.
 */
export type SeriesKey = string;

/** The baseline of a change. */
export type Baseline =
  | { of: 'previous' }
  | { of: 'high' | 'low' | 'start' | 'median'; window: SpanName };

/**
 * `drop`, `rise`: how far the value is below or above its baseline; `change`: the distance in either
 * direction; `_pct`: in basis points of the baseline. `below_low`, `above_high`: how far it is beyond every
 * earlier value in the window. `span`: minutes since the window's first value.
 */
export const changeMeasures = [
  'drop',
  'drop_pct',
  'rise',
  'rise_pct',
  'change',
  'change_pct',
] as const;
export type ChangeMeasure = (typeof changeMeasures)[number];

export type Transform =
  | { measure: ChangeMeasure; baseline: Baseline }
  | { measure: 'below_low' | 'above_high' | 'span'; window: SpanName };

/**
 * How to read a snapshot without a value: as no value; as a number above or below every level, which
 * re-arms; or as a series that is 1 if the value is missing, else 0.
 */
export type NoValueReading = 'none' | 'none_high' | 'none_low' | 'missing';

export interface Series {
  base: BaseSeries;
  transform: Transform | null;
  noValue: NoValueReading;
}

/** Thrown for a key that this code has never written. */
export class UnknownSeriesError extends Error {
  override readonly name = 'UnknownSeriesError';

  constructor(series: string) {
    super(`"${series}" is not a series`);
  }
}

/** The feed whose snapshots move this series; for an unknown key, the feed of metrics. */
export function feedKindOf(series: SeriesKey): FeedKind {
  return kindNamedBy(series) ?? metricsFeed;
}

export function seriesKeyOf({ base, transform, noValue }: Series): SeriesKey {
  const parts: string[] = [baseKeyOf(base)];
  if (transform !== null) parts.push(transformKeyOf(transform));
  if (noValue !== 'none') parts.push(noValue);
  return parts.join('/');
}

function transformKeyOf(transform: Transform): string {
  if ('window' in transform) return `${transform.measure}:${transform.window}`;
  const { measure, baseline } = transform;
  return 'window' in baseline
    ? `${measure}:${baseline.of}:${baseline.window}`
    : `${measure}:${baseline.of}`;
}

/** Cached, because a process uses few series, each many times. */
const known = new Map<SeriesKey, Readonly<Series>>();
const knownKept = 2_000;

/**
 * Parses a series key.
 * @throws UnknownSeriesError
 */
export function parseSeries(key: SeriesKey): Readonly<Series> {
  const before = known.get(key);
  if (before) return before;
  if (known.size >= knownKept) known.clear();
  const series = readKey(key);
  known.set(key, series);
  return series;
}

function readKey(key: SeriesKey): Readonly<Series> {
  const parts = key.split('/');
  const base = parseBase(key, parts);
  const rest = parts.slice(base.length);
  const noValue = readNoValue(rest.at(-1)) ?? 'none';
  const [transform, ...extra] = noValue === 'none' ? rest : rest.slice(0, -1);
  const parsed = transform === undefined ? null : parseTransform(transform);
  if (base.series === undefined || parsed === undefined || extra.length > 0) {
    throw new UnknownSeriesError(key);
  }
  return Object.freeze({ base: base.series, transform: parsed, noValue });
}

function readNoValue(part: string | undefined): NoValueReading | undefined {
  return (['none_high', 'none_low', 'missing'] as const).find((known) => known === part);
}

function parseTransform(part: string): Transform | undefined {
  const [measure = '', second = '', third] = part.split(':');
  const change = changeMeasures.find((known) => known === measure);
  if (change !== undefined) {
    const baseline = parseBaseline(second, third);
    return baseline && { measure: change, baseline };
  }
  const extreme = (['below_low', 'above_high', 'span'] as const).find((known) => known === measure);
  if (extreme === undefined || !isSpanName(second) || third !== undefined) return undefined;
  return { measure: extreme, window: second };
}

function parseBaseline(of: string, window: string | undefined): Baseline | undefined {
  if (of === 'previous' && window === undefined) return { of };
  const known = (['high', 'low', 'start', 'median'] as const).find((name) => name === of);
  if (known === undefined || window === undefined || !isSpanName(window)) return undefined;
  return { of: known, window };
}
