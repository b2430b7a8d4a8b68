/**
 * The value of a series at a snapshot. Decides nothing about triggers, and asks history for no more
 * than the series' own window.
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
import { measureChange, medianOf } from './transform.ts';
import { windowMs } from './window.ts';

/** A series at a snapshot; cents, counts or basis points, null for "no value". */
export interface Reading {
  value: number | null;
  /** The number under a window transform; the value itself without one. */
  base: number | null;
  /** The value that the change was measured from. */
  baseline: number | null;
  /**
   * The value to hold against a level when it matters how things stand, not what is new: for
   * `new_cheapest` the cheapest match, whenever it came.
   */
  standing: number | null;
  /** The price under it is a jump that waits for the next snapshot. */
  isSuspect: boolean;
}

/** Beyond every level that a rule may name. */
const BEYOND = 1_000_000_000_000_000;

/**
 * Reads a series. `history` must hold the event's values up to the snapshot, the snapshot included.
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
    standing: newStanding(series.base, snapshot) ?? value,
    isSuspect: isSuspectAt(series.base, snapshot.observedAt, history),
  };
}

/**
 * The value of `readSeries` alone; without a history, window transforms have none.
 * @throws UnknownSeriesError
 */
export function seriesValue(
  key: SeriesKey,
  snapshot: Snapshot,
  history: History = emptyHistory,
): number | null {
  return readSeries(key, snapshot, history).value;
}

/** Adds a snapshot's values to a history, every series that windows or guards may ask for. */
export function remember(history: LoadedHistory, snapshot: Snapshot): void {
  for (const [base, value] of baseValues(snapshot)) {
    if (value === null) continue;
    const point = { at: snapshot.observedAt, value };
    history.add(baseKeyOf(base), point, unitOf(base) === 'price');
  }
}

/** How things stand, for a series that says what is new. */
function newStanding(base: BaseSeries, snapshot: Snapshot): number | null {
  const current = currentOf(base);
  return current === base ? null : baseValue(current, snapshot);
}

function isSuspectAt(base: BaseSeries, at: number, history: History): boolean {
  if (unitOf(base) !== 'price') return false;
  return history.isSuspect(baseKeyOf(currentOf(base)), at);
}

interface Measured {
  value: number | null;
  baseline: number | null;
}

function measure(series: Series, base: number | null, at: number, history: History): Measured {
  const { transform } = series;
  if (transform === null || base === null) return { value: base, baseline: null };
  const key = baseKeyOf(series.base);
  if (transform.measure === 'span')
    return { value: spanMinutes(key, transform.window, at, history), baseline: null };
  const baseline = baselineOf(key, transform, at, history);
  return { value: baseline === null ? null : remeasure(transform, base, baseline), baseline };
}

/** The transform of a value, from a baseline that is given. */
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
): number | null {
  if ('baseline' in transform) return changeBaseline(key, transform.baseline, at, history);
  const earlier = history.summary(key, at - windowMs(transform.window), at - 1);
  if (earlier === null) return null;
  return transform.measure === 'below_low' ? earlier.low : earlier.high;
}

/** A window speaks once it holds a value earlier than the snapshot's own. */
function changeBaseline(
  key: SeriesKey,
  baseline: Baseline,
  at: number,
  history: History,
): number | null {
  if (baseline.of === 'previous') return history.before(key, at)?.value ?? null;
  const after = at - windowMs(baseline.window);
  const summary = history.summary(key, after, at);
  if (summary === null || summary.first.at >= at) return null;
  return baseline.of === 'median'
    ? medianOf(history.values(key, after, at))
    : statOf(summary, baseline.of);
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
