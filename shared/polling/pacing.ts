// How paid pulls are shared out when there are fewer than wished: the spacing that keeps the whole
// fleet within its rate, and what it will have spent by a given time. Pure.
import { paceOf, type Rhythm } from './rhythm.ts';

/** One feed's part in the demand. */
export interface Demand {
  /** Between two paid pulls if money were no object: the refresh gap or the wish, whichever is longer. */
  naturalMs: number;
  /** What an hour's delay is worth (weight.ts). */
  weight: number;
}

/** A spacing that no feed outlives: what a rate of zero comes to. */
export const never = 10 * 365 * 86_400_000;

/** The time between two paid pulls that a feed's own rhythm and wish ask for. */
export function naturalSpacing(rhythm: Rhythm, wishedMs: number, freeWhenQuiet: boolean): number {
  const usualMs = paceOf(rhythm)?.usualMs ?? wishedMs;
  return freeWhenQuiet ? Math.max(usualMs, wishedMs) : wishedMs;
}

/**
 * The stretch that brings the demand down to a rate. Delay costs `weight × spacing`, so the least
 * harm for a number of pulls is done by spacings that go with 1/√weight; feeds whose natural spacing
 * is longer than that keep it.
 * @param pullsPerMs what may be spent; 0 or less stops everything.
 * @returns a stretch for `spacingOf`, in milliseconds; 0 when the demand fits as it is.
 */
export function planStretch(demands: readonly Demand[], pullsPerMs: number): number {
  if (rateAt(demands, 0) <= pullsPerMs) return 0;
  if (pullsPerMs <= 0) return never;
  const sorted = demands
    .map(({ naturalMs, weight }) => ({ rate: 1 / naturalMs, root: Math.sqrt(weight), naturalMs }))
    .sort((a, b) => a.naturalMs * a.root - b.naturalMs * b.root);
  let unstretched = sorted.reduce((sum, { rate }) => sum + rate, 0);
  let roots = 0;
  for (const [index, { rate, root }] of sorted.entries()) {
    unstretched -= rate;
    roots += root;
    const left = pullsPerMs - unstretched;
    if (left <= 0) continue;
    const stretchMs = roots / left;
    const next = sorted[index + 1];
    if (!next || stretchMs <= next.naturalMs * next.root) return stretchMs;
  }
  return never;
}

/** The spacing of one feed under a stretch; 0 when it is not stretched. */
export function spacingOf(demand: Demand, stretchMs: number): number {
  const spacingMs = stretchMs / Math.sqrt(demand.weight);
  return spacingMs > demand.naturalMs ? Math.min(spacingMs, never) : 0;
}

/** Pulls a millisecond of all feeds together under a stretch. */
export function rateAt(demands: readonly Demand[], stretchMs: number): number {
  return demands.reduce(
    (sum, demand) => sum + 1 / Math.max(demand.naturalMs, spacingOf(demand, stretchMs)),
    0,
  );
}

/** A feed's expected pulls over a stretch of time, no further than its event. */
export function expectedPulls(demand: Demand, stretchMs: number, spanMs: number): number {
  return Math.max(0, spanMs) / Math.max(demand.naturalMs, spacingOf(demand, stretchMs));
}
