// The time between two paid pulls of a feed while the budget covers all demand. Pure.
import { paceOf, type Rhythm } from './rhythm.ts';

/** The time between two paid pulls that a feed's rhythm and latency require. */
export function naturalSpacing(rhythm: Rhythm, wishedMs: number, freeWhenQuiet: boolean): number {
  const usualMs = paceOf(rhythm)?.usualMs ?? wishedMs;
  return freeWhenQuiet ? Math.max(usualMs, wishedMs) : wishedMs;
}
