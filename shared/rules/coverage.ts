/**
 * How much of a window its known values cover: the least that a rule needs, and when it counts as the whole
 * window. The history of the event counts, whatever the age of the watch. Reads no history itself.
 */
import { seriesKeyOf } from './series.ts';
import type { BaseSeries } from './sources/sources.ts';
import type { TriggerCondition } from './trigger.ts';
import { DAY_MS, HOUR_MS, type SpanName, windowMs } from './window.ts';

const MINUTE_MS = 60_000;

/** The least history for `ever`, which has no half. */
const LEAST_FOR_EVER_MS = DAY_MS;

/**
 * The default of `min_history_hours`: half of the window. A window shorter than two days can't cover a day
 * by half, so half of it must do: 30 minutes of an hour.
 */
export function leastCoverageMs(window: SpanName): number {
  return window === 'ever' ? LEAST_FOR_EVER_MS : windowMs(window) / 2;
}

/** The condition that the values in a window reach back far enough. */
export function coverageCondition(
  base: BaseSeries,
  window: SpanName,
  hours?: number,
): TriggerCondition {
  const leastMs = hours === undefined ? leastCoverageMs(window) : hours * HOUR_MS;
  const series = seriesKeyOf({ base, transform: { measure: 'span', window }, noValue: 'none' });
  return { series, direction: 'up', level: Math.ceil(leastMs / MINUTE_MS) };
}

/** Snapshots are minutes to hours apart, so the first value of a fully watched window is not at its start. */
const MOST_MISSING_MS = 6 * HOUR_MS;

/** Whether a window can be named by its length; `coveredMs` is the age of its first value. */
export function coversWhole(window: SpanName, coveredMs: number): boolean {
  const missingMs = windowMs(window) - coveredMs;
  return missingMs <= Math.min(MOST_MISSING_MS, windowMs(window) / 8);
}
