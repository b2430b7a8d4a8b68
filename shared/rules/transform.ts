/**
 * The arithmetic of window transforms, exact in integers. Takes the value and the baseline; reads no
 * history.
 */

import { WHOLE_BPS } from './money.ts';
import type { ChangeMeasure } from './series.ts';

/**
 * Stands for a rise from 0, which has no percentage: larger than every level that a rule may have, so that
 * it reaches all of them. Never stored and never printed.
 */
export const FROM_NONE_BPS = 1_000_000_000_000;

/**
 * The distance of a value from its baseline, in the value's unit or in basis points of the baseline, rounded
 * down, so that "at least 15 %" is exact. From 0 to 0 is no change; from 0 to more is FROM_NONE_BPS. Both
 * numbers have the same unit.
 */
export function measureChange(measure: ChangeMeasure, value: number, baseline: number): number {
  switch (measure) {
    case 'drop':
      return baseline - value;
    case 'rise':
      return value - baseline;
    case 'change':
      return Math.abs(value - baseline);
    case 'drop_pct':
      return partBps(baseline - value, baseline);
    case 'rise_pct':
      return partBps(value - baseline, baseline);
    case 'change_pct':
      return partBps(Math.abs(value - baseline), baseline);
  }
}

function partBps(difference: number, whole: number): number {
  if (whole !== 0) return Math.floor((difference * WHOLE_BPS) / whole);
  return Math.sign(difference) * FROM_NONE_BPS;
}

/** The median of sorted values; for an even number of them, the mean of the middle two, half rounded up. */
export function medianOfSorted(sorted: ArrayLike<number>): number | null {
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) return null;
  return Math.floor((lower + upper + 1) / 2);
}

/** The median of values in any order. */
export function medianOf(values: readonly number[]): number | null {
  return medianOfSorted(Float64Array.from(values).sort());
}
