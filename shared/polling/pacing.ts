// Distributes paid pulls over the feeds when the budget does not cover all: the spacing that keeps all feeds
// within a rate, and the expected cost until a time. Pure.
import { paceOf, type Rhythm } from './rhythm.ts';

/** The demand of one feed. */
export interface Demand {
  /**
   * The time between two paid pulls without a budget: the refresh gap or the latency, whichever is longer.
   */
  naturalMs: number;
  /** The cost of a delay, relative to other feeds (weight.ts). */
  weight: number;
}

/** Ten years: longer than any feed lives; the spacing for a rate of zero. */
export const maxSpacingMs = 10 * 365 * 86_400_000;

/** The time between two paid pulls that a feed's rhythm and latency require. */
export function naturalSpacing(rhythm: Rhythm, wishedMs: number, freeWhenQuiet: boolean): number {
  const usualMs = paceOf(rhythm)?.usualMs ?? wishedMs;
  return freeWhenQuiet ? Math.max(usualMs, wishedMs) : wishedMs;
}

/**
 * The stretch that reduces the demand to a rate. Delay costs `weight × spacing`, so spacings proportional to
 * 1/√weight do the least harm for a number of pulls; feeds with a longer natural spacing keep it.
 * @param pullsPerMs the allowed rate; 0 or less stops everything.
 * @returns a stretch for `spacingOf`, in milliseconds; 0 if the demand fits.
 */
export function planSpacingScale(demands: readonly Demand[], pullsPerMs: number): number {
  if (rateAt(demands, 0) <= pullsPerMs) return 0;
  if (pullsPerMs <= 0) return maxSpacingMs;
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
  return maxSpacingMs;
}

/** The spacing of one feed under a stretch; 0 if the feed keeps its natural spacing. */
export function spacingOf(demand: Demand, stretchMs: number): number {
  const spacingMs = stretchMs / Math.sqrt(demand.weight);
  return spacingMs > demand.naturalMs ? Math.min(spacingMs, maxSpacingMs) : 0;
}

/** Pulls per millisecond of all feeds together under a stretch. */
export function rateAt(demands: readonly Demand[], stretchMs: number): number {
  return demands.reduce(
    (sum, demand) => sum + 1 / Math.max(demand.naturalMs, spacingOf(demand, stretchMs)),
    0,
  );
}

/** A feed's expected pulls over a time span. */
export function expectedPulls(demand: Demand, stretchMs: number, spanMs: number): number {
  return Math.max(0, spanMs) / Math.max(demand.naturalMs, spacingOf(demand, stretchMs));
}
