// How often a rule would have fired with each of several amounts, and which amount comes nearest to a wished
// number of alerts a week. Counts are not monotone in the amount: a lower level can be crossed more often.

import type { Rule } from '#shared/rules/language/rule.ts';
import { type BacktestInput, findFires, type RuleAlerts } from './find-fires.ts';
import { type Covered, perWeek } from './per-week.ts';

/** A rule's alerts with one amount: dollars, percent or a count, as the rule's JSON has it. */
export interface CurvePoint {
  amount: number;
  rule: Rule;
  /** Without the alert of a rule that was true already when it was made. */
  count: number;
  alreadyTrue: boolean;
  /** Null if less than a week is covered. */
  perWeek: number | null;
}

export interface Variant {
  amount: number;
  rule: Rule;
}

export interface Curve {
  /** In the order of the variants. */
  points: CurvePoint[];
  /** The fires and recoveries of the given rule. */
  own: RuleAlerts;
}

/** Runs a rule and its variants in one pass over the snapshots. */
export async function findCurve(
  input: Omit<BacktestInput, 'rules'>,
  {
    rule,
    variants,
    covered,
  }: { rule: Rule; variants: readonly Variant[]; covered: Covered | null },
): Promise<Curve> {
  const rules = [rule, ...variants.map((variant) => variant.rule)];
  const none: RuleAlerts = { fires: [], recoveries: [] };
  const [own = none, ...others] = await findFires({ ...input, rules });
  const points = variants.map((variant, index) => {
    const { fires } = others[index] ?? none;
    const count = fires.filter(({ alreadyTrue }) => !alreadyTrue).length;
    const alreadyTrue = count < fires.length;
    return { ...variant, count, alreadyTrue, perWeek: perWeek(count, covered) };
  });
  return { points, own };
}

/**
 * The point whose alerts a week come nearest to the aim; of several, the smallest amount: small changes come
 * again, and prices fall towards an event, so that a low level is still ahead (README.md has the figures).
 * @param points by amount, smallest first.
 * @returns undefined if less than a week is covered, or no amount fired at all.
 */
export function suggestPoint(points: readonly CurvePoint[], aim: number): CurvePoint | undefined {
  let best: CurvePoint | undefined;
  for (const point of points) {
    if (point.perWeek === null || point.count === 0) continue;
    if (!best || distance(point, aim) < distance(best, aim)) best = point;
  }
  return best;
}

function distance(point: CurvePoint, aim: number): number {
  return Math.abs((point.perWeek ?? Number.POSITIVE_INFINITY) - aim);
}
