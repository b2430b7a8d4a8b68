// How many alerts a feed's triggers are expected to raise within so many refreshes, from their distances in the
// event's own volatility. Pure.
import { deviationAfter } from './price-memory.ts';
import { passageTable } from './prior.ts';

/** One trigger as seen from the price now. Distances are differences of log prices, at least 0. */
export interface Prospect {
  /** `level`: reached and silent until it is armed again; `record`: each new low or high is an alert. */
  kind: 'level' | 'record';
  /** How far the price has to go until its next alert; for a fired trigger past its rearm level and back. */
  distance: number;
  /** How far from an alert to the next one, there and back; 0 for records. */
  again: number;
  /** It can't alert before this time, epoch milliseconds, because its window is not covered. */
  from?: number | undefined;
}

/** The numbers of refreshes for which the expected alerts are kept. */
export const curveSpans = [1, 4, 16, 64, 256] as const;

/** The price jumps over a level within a refresh, so it has to come this many steps nearer than the level. */
const jump = 0.5;
/** A level's alerts after the first few hardly count. */
const mostAgain = 4;

/** The expected alerts within each of `curveSpans`. */
export function expectedAlerts(
  prospects: readonly Prospect[],
  { variances, gapMs, now }: { variances: readonly number[]; gapMs: number; now: number },
): number[] {
  const step = Math.sqrt(variances[0] ?? 0);
  let before = 0;
  return curveSpans.map((span) => {
    const deviation = deviationAfter(variances, span);
    const open = prospects.filter(({ from = 0 }) => from <= now + span * gapMs);
    const alerts = open.reduce(
      (sum, prospect) => sum + alertsOf(prospect, { deviation, step, span }),
      0,
    );
    before = Math.max(before, alerts);
    return before;
  });
}

function alertsOf(
  { kind, distance, again }: Prospect,
  { deviation, step, span }: { deviation: number; step: number; span: number },
): number {
  if (kind === 'record') {
    return Math.min(
      span,
      (recordShare * (beyond(distance / deviation) * deviation)) / (step * ladder),
    );
  }
  let alerts = 0;
  for (let time = 0; time < mostAgain; time += 1) {
    const way = distance + jump * step + time * (again + 2 * jump * step);
    const chance = chanceToReach(way / deviation);
    alerts += chance;
    if (chance < 0.02) break;
  }
  return alerts;
}

/** A new low is this much lower than the one before, in steps, on average. */
const ladder = Math.SQRT1_2;
/** Prices turn back, and a low that lasted a week is not passed as often as a walk would. */
const recordShare = 0.7;

/**
 * The chance that a price gets so far within a span, by its distance in deviations of that span: learned, because
 * prices have fatter tails than a normal walk and turn back more often.
 */
export function chanceToReach(deviations: number): number {
  const { depths, chances } = passageTable;
  const next = depths.findIndex((depth) => depth > deviations);
  if (next === -1) return 0;
  if (next === 0) return chances[0] ?? 1;
  const [from, to] = [depths[next - 1] ?? 0, depths[next] ?? 1];
  const share = (deviations - from) / (to - from);
  return (chances[next - 1] ?? 0) * (1 - share) + (chances[next] ?? 0) * share;
}

/** The mean of how far the price gets beyond a distance, in deviations: twice that of a normal number. */
function beyond(deviations: number): number {
  const z = Math.max(0, deviations);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return Math.max(0, 2 * density - z * chanceToReach(z));
}

/** The expected alerts within any number of refreshes, between the kept ones as a power. */
export function alertsWithin(curve: readonly number[], refreshes: number): number {
  const next = curveSpans.findIndex((span) => span >= refreshes);
  const index = next === -1 ? curveSpans.length - 1 : next;
  if (index === 0) return (curve[0] ?? 0) * refreshes;
  const [low, high] = [curve[index - 1] ?? 0, curve[index] ?? 0];
  const [from, to] = [curveSpans[index - 1] ?? 1, curveSpans[index] ?? 1];
  if (next === -1 || low < 1e-9) {
    const share = Math.min(1, (refreshes - from) / (to - from));
    return low + (high - low) * share;
  }
  return low * (refreshes / from) ** (Math.log(high / low) / Math.log(to / from));
}
