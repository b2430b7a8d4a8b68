// How much history must be loaded before a series can be read.
import { stillSeries } from './lone-listing.ts';
import { parseSeries, type SeriesKey, type Transform } from './series.ts';
import { baseKeyOf } from './sources/sources.ts';
import { windowMs } from './window.ts';

/** A base series, and how far back its values are needed. */
export interface HistoryNeed {
  base: SeriesKey;
  /** Milliseconds; Infinity for a series over all time. */
  spanMs: number;
  /** Whether single values are needed over the whole span, as for a median. */
  everyValue: boolean;
}

/** What a store must load before these series are read: one need per base series. */
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
    const still = stillSeries(base);
    const stillKey = still && baseKeyOf(still);
    if (stillKey && !needs.has(stillKey)) {
      needs.set(stillKey, { base: stillKey, spanMs: 0, everyValue: false });
    }
  }
  return [...needs.values()];
}

function spanMsOf(transform: Transform | null): number {
  if (transform === null) return 0;
  if ('window' in transform) return windowMs(transform.window);
  return 'window' in transform.baseline ? windowMs(transform.baseline.window) : 0;
}
