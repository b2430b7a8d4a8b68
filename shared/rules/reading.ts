/**
 * Reads the value of a series at a snapshot. Decides nothing about triggers, and reads no more history than
 * the series' own window.
 */
import { emptyHistory, type History, type LoadedHistory, type Summary } from './history.ts';
import {
  type Baseline,
  parseSeries,
  type Series,
  type SeriesKey,
  type Transform,
} from './series.ts';
import {
  type BaseSeries,
  baseKeyOf,
  baseValue,
  baseValues,
  currentOf,
  type Snapshot,
  unitOf,
} from './sources/sources.ts';
import { measureChange } from './transform.ts';
import { windowMs } from './window.ts';

/** A series at a snapshot: cents, counts or basis points; null for "no value". */
export interface Reading {
  value: number | null;
  /** The number before a window transform; without a transform, the value itself. */
  base: number | null;
  /** The value that the change was measured from. */
  baseline: number | null;
  /** When the first value in the series' window was seen, epoch milliseconds; null without a window. */
  windowSince: number | null;
  /**
   * The current value, for a trigger that compares the state and not the news: for `new_cheapest` the
   * cheapest match, new or not.
   */
  standing: number | null;
  /** Its price is a jump that waits for the next snapshot. */
  isSuspect: boolean;
}

/** Larger than every level that a rule may have. */
const BEYOND = 1_000_000_000_000_000;

/**
 * Reads a series. `history` must hold the event's values up to and including the snapshot.
 * @throws UnknownSeriesError
 */
export function readSeries(key: SeriesKey, snapshot: Snapshot, history: History): Reading {
  const series = parseSeries(key);
  const base = baseValue(series.base, snapshot);
  const measured = measure(series, base, snapshot.observedAt, history);
  const value = readNoValue(series, measured.value);
  return {
    value,
    base,
    baseline: measured.baseline,
    windowSince: measured.windowSince,
    standing: newStanding(series.base, snapshot) ?? value,
    isSuspect: isSuspectAt(series.base, snapshot.observedAt, history),
  };
}

/**
 * Only the value of `readSeries`; without a history, window transforms have no value.
 * @throws UnknownSeriesError
 */
export function seriesValue(
  key: SeriesKey,
  snapshot: Snapshot,
  history: History = emptyHistory,
): number | null {
  return readSeries(key, snapshot, history).value;
}

/** Adds to a history all values of a snapshot that windows or jump checks may need. */
export function remember(history: LoadedHistory, snapshot: Snapshot): void {
  for (const [base, value] of baseValues(snapshot)) {
    if (value === null) continue;
    const point = { at: snapshot.observedAt, value };
    history.add(baseKeyOf(base), point, unitOf(base) === 'price');
  }
}

/** Like `remember`, for only some of the numbers: a snapshot with many zones has dozens. */
export function rememberBases(
  history: LoadedHistory,
  snapshot: Snapshot,
  bases: readonly BaseSeries[],
): void {
  for (const base of bases) {
    const value = baseValue(base, snapshot);
    if (value === null) continue;
    const point = { at: snapshot.observedAt, value };
    history.add(baseKeyOf(base), point, unitOf(base) === 'price');
  }
}

/** The current value, for a series that reports only news; else null. */
function newStanding(base: BaseSeries, snapshot: Snapshot): number | null {
  const current = currentOf(base);
  return current === base ? null : baseValue(current, snapshot);
}

function isSuspectAt(base: BaseSeries, at: number, history: History): boolean {
  if (unitOf(base) !== 'price') return false;
  return history.isSuspect(baseKeyOf(currentOf(base)), at);
}

interface Baselined {
  baseline: number | null;
  windowSince: number | null;
}

interface Measured extends Baselined {
  value: number | null;
}

const NO_BASELINE: Baselined = { baseline: null, windowSince: null };

function measure(series: Series, base: number | null, at: number, history: History): Measured {
  const { transform } = series;
  if (transform === null || base === null) return { ...NO_BASELINE, value: base };
  const key = baseKeyOf(series.base);
  if (transform.measure === 'span') {
    return { ...NO_BASELINE, value: spanMinutes(key, transform.window, at, history) };
  }
  const from = baselineOf(key, transform, at, history);
  const { baseline } = from;
  return { ...from, value: baseline === null ? null : remeasure(transform, base, baseline) };
}

/** The transform of a value from a given baseline. */
export function remeasure(transform: Transform, value: number, baseline: number): number | null {
  switch (transform.measure) {
    case 'below_low':
      return baseline - value;
    case 'above_high':
      return value - baseline;
    case 'span':
      return null;
    default:
      return measureChange(transform.measure, value, baseline);
  }
}

function spanMinutes(
  key: SeriesKey,
  window: Parameters<typeof windowMs>[0],
  at: number,
  history: History,
) {
  const summary = history.summary(key, at - windowMs(window), at);
  return summary === null ? 0 : Math.floor((at - summary.first.at) / 60_000);
}

function baselineOf(
  key: SeriesKey,
  transform: Exclude<Transform, { measure: 'span' }>,
  at: number,
  history: History,
): Baselined {
  if ('baseline' in transform) return changeBaseline(key, transform.baseline, at, history);
  const earlier = history.summary(key, at - windowMs(transform.window), at - 1);
  if (earlier === null) return NO_BASELINE;
  const baseline = transform.measure === 'below_low' ? earlier.low : earlier.high;
  return { baseline, windowSince: earlier.first.at };
}

/** A window has a baseline once it holds a value earlier than the snapshot. */
function changeBaseline(
  key: SeriesKey,
  baseline: Baseline,
  at: number,
  history: History,
): Baselined {
  if (baseline.of === 'previous') {
    return { baseline: history.before(key, at)?.value ?? null, windowSince: null };
  }
  const after = at - windowMs(baseline.window);
  const summary = history.summary(key, after, at);
  if (summary === null || summary.first.at >= at) return NO_BASELINE;
  const value =
    baseline.of === 'median' ? history.median(key, after, at) : statOf(summary, baseline.of);
  return { baseline: value, windowSince: summary.first.at };
}

function statOf(summary: Summary, of: 'high' | 'low' | 'start'): number {
  return of === 'start' ? summary.first.value : summary[of];
}

function readNoValue({ noValue }: Series, value: number | null): number | null {
  switch (noValue) {
    case 'none':
      return value;
    case 'missing':
      return value === null ? 1 : 0;
    case 'none_high':
      return value ?? BEYOND;
    case 'none_low':
      return value ?? -BEYOND;
  }
}
