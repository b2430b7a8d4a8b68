// How far back the values of a series must be known before it can be read.
import { parseSeries, type SeriesKey, type Transform } from './series.ts';
import { baseKeyOf } from './sources/sources.ts';
import { windowMs } from './window.ts';

/** The base series and how far back each must be known to read these series. */
export interface HistoryNeed {
  base: SeriesKey;
  /** Milliseconds; Infinity where a series looks back over everything. */
  spanMs: number;
  /** Whether single values are needed over all of it, as a median needs them. */
  everyValue: boolean;
}

/** What a store must load before it reads these series, one need per base series. */
export function historyNeeds(keys: Iterable<SeriesKey>): HistoryNeed[] {
  const needs = new Map<SeriesKey, HistoryNeed>();
  for (const key of keys) {
    const { base, transform } = parseSeries(key);
    const baseKey = baseKeyOf(base);
    const need = needs.get(baseKey) ?? { base: baseKey, spanMs: 0, everyValue: false };
    const median =
      transform !== null && 'baseline' in transform && transform.baseline.of === 'median';
    needs.set(baseKey, {
      base: baseKey,
      spanMs: Math.max(need.spanMs, spanMsOf(transform)),
      everyValue: need.everyValue || median,
    });
  }
  return [...needs.values()];
}

function spanMsOf(transform: Transform | null): number {
  if (transform === null) return 0;
  if ('window' in transform) return windowMs(transform.window);
  return 'window' in transform.baseline ? windowMs(transform.baseline.window) : 0;
}
