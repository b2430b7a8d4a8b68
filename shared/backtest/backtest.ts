// A rule on the recorded prices of one event: its alerts and what the price did after each, how the alerts
// would have changed with other amounts and confirmations, and what watching would have cost.
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';
import { withFeeCents } from '#shared/rules/money.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { baseValue, currentOf, type Snapshot, unitOf } from '#shared/rules/sources/sources.ts';
import type { HearingTimes } from '#shared/watchlist/owner.ts';
import { type AfterFire, afterFire } from './after-fire.ts';
import { amountsToTry } from './amounts.ts';
import { type AsDelivered, asDelivered } from './as-delivered.ts';
import { type CurvePoint, findCurve, suggestPoint, type Variant } from './curve.ts';
import { type BacktestInput, type Fire, type Recovery, seriesOfRule } from './find-fires.ts';
import { type Covered, perWeek } from './per-week.ts';
import { amountOf } from './rule-amount.ts';
import { longestSilence } from './silence.ts';
import { pullsFor } from './watch-cost.ts';

export interface BacktestOptions {
  /** Wished alerts a week; without it nothing is suggested. */
  aimPerWeek?: number | undefined;
  /** Further amounts to count, beside those of the curve. */
  amounts?: readonly number[];
  /** The owner's quiet hours and digest; without them alerts go at once. */
  times?: HearingTimes | undefined;
  latencyMs: number;
}

export interface Backtest {
  fires: (Fire & { after: AfterFire })[];
  /** Messages that the number went back (`tell_recovery`); they are in no count of alerts. */
  recoveries: Recovery[];
  /** Alerts apart from the one of a rule that was true already when it was made. */
  count: number;
  perWeek: number | null;
  covered: Covered | null;
  /** By amount, smallest first; empty for a rule without an amount. */
  curve: CurvePoint[];
  /** The further amounts that were asked for. */
  asked: CurvePoint[];
  /** The rule with 1 to 5 confirmations, as far as it may have them. */
  confirmations: CurvePoint[];
  suggested: CurvePoint | undefined;
  delivered: AsDelivered | undefined;
  /** Milliseconds; null without a snapshot. */
  longestSilenceMs: number | null;
  /** The fewest pulls that tell every refresh within the latency. */
  pulls: number;
}

const mostConfirmations = 5;

/** Runs the rule and all its variants in one pass. Costs no pull and writes nothing. */
export async function runBacktest(
  rule: Rule,
  input: Omit<BacktestInput, 'rules'>,
  options: BacktestOptions,
): Promise<Backtest> {
  const { snapshots } = input;
  const covered = coveredBy(snapshots);
  const amounts = amountVariants(rule, snapshots);
  const asked = withAmounts(rule, options.amounts ?? []);
  const confirmed = confirmationVariants(rule);
  const variants = [...amounts, ...asked, ...confirmed];
  const { points, own } = await findCurve(input, { rule, variants, covered });
  const { fires, recoveries } = own;
  const curve = points.slice(0, amounts.length);
  const told = fires.filter(({ alreadyTrue }) => !alreadyTrue);
  const { aimPerWeek: aim, times, latencyMs } = options;
  const isUrgent = rule.urgent === true;
  return {
    fires: fires.map((fire) => ({ ...fire, after: afterFire(fire, snapshots) })),
    recoveries,
    count: told.length,
    perWeek: perWeek(told.length, covered),
    covered,
    curve,
    asked: points.slice(amounts.length, amounts.length + asked.length),
    confirmations: points.slice(amounts.length + asked.length),
    suggested: aim === undefined ? undefined : suggestPoint(curve, aim),
    delivered: times && asDelivered(own, snapshots, { times, isUrgent }),
    longestSilenceMs:
      covered &&
      longestSilence(
        fires.map(({ firing }) => firing.observedAt),
        covered,
      ),
    pulls: pullsFor(
      snapshots.map(({ observedAt }) => observedAt),
      latencyMs,
    ),
  };
}

function coveredBy(snapshots: readonly Snapshot[]): Covered | null {
  const [first, last] = [snapshots[0], snapshots.at(-1)];
  return first && last ? { from: first.observedAt, through: last.observedAt } : null;
}

function amountVariants(rule: Rule, snapshots: readonly Snapshot[]): Variant[] {
  const own = amountOf(rule);
  return own ? withAmounts(rule, amountsToTry(own, valuesOf(rule, snapshots))) : [];
}

/** The rule with each amount, without those that could not be saved. */
function withAmounts(rule: Rule, amounts: readonly number[]): Variant[] {
  const own = amountOf(rule);
  return amounts.flatMap((amount) => {
    const changed = own?.withAmount(amount);
    return changed ? [{ amount, rule: changed }] : [];
  });
}

function confirmationVariants(rule: Rule): Variant[] {
  return Array.from({ length: mostConfirmations }, (_, index) => index + 1).flatMap((amount) => {
    const { data } = ruleSchema.safeParse({ ...rule, confirmations: amount });
    return data ? [{ amount, rule: data }] : [];
  });
}

/** The rule's number at each snapshot: dollars with the rule's fee, percent, or a count. */
function valuesOf(rule: Rule, snapshots: readonly Snapshot[]): number[] {
  const [series] = seriesOfRule(rule);
  if (series === undefined) return [];
  const base = currentOf(parseSeries(series).base);
  const feePercent = 'fee_percent' in rule ? rule.fee_percent : undefined;
  const isCount = unitOf(base) === 'count';
  return snapshots.flatMap((snapshot) => {
    const value = baseValue(base, snapshot);
    if (value === null) return [];
    const whole = feePercent === undefined ? value : withFeeCents(value, feePercent * 100);
    return [isCount ? whole : whole / 100];
  });
}
