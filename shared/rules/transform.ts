/**
 * The arithmetic of window transforms, exact in integers. Is given value and baseline; looks nothing
 * up.
 */

import { WHOLE_BPS } from './money.ts';
import type { ChangeMeasure } from './series.ts';

/**
 * Stands for a rise from nothing, of which no percentage can be told: above every level that a rule
 * may name, so that it reaches them all. Never stored and never printed.
 */
export const FROM_NONE_BPS = 1_000_000_000_000;

/**
 * How far a value is from its baseline, in the value's unit or in basis points of the baseline,
 * rounded down, so that "at least 15 %" is told exactly. From 0 to 0 nothing changed; from 0 to
 * something is FROM_NONE_BPS. No unit: both numbers share theirs.
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

/** The middle of the values; of an even number, the mean of the middle two, a half rounded up. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) return null;
  return Math.floor((lower + upper + 1) / 2);
}
