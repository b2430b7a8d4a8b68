/**
 * Compiles a rule to its triggers: series, direction, level. Does not know the states of triggers, nor
 * whether the event has the rule's zone (validate.ts).
 */
import { compileChange } from './compile-change.ts';
import { coverageCondition } from './coverage.ts';
import { countSide, priceSide, rateSide, type Side } from './language/asked-side.ts';
import { withoutRefused } from './language/modifier-faults.ts';
import type {
  AnyChangeRule,
  ExtremeRule,
  FillRateRule,
  LevelRule,
  ListingRule,
  Rule,
  SupplyRule,
} from './language/rule.ts';
import { DEFAULT_ANY_CHANGE_PER_DAY } from './language/rule-limits.ts';
import { keyOf, listingSeries, subjectSeries } from './language/subject.ts';
import { reachableRearm, rearmFrom } from './level.ts';
import { dearestWithin } from './money.ts';
import { type BaseSeries, unitOf } from './sources/sources.ts';
import type { TriggerSpec } from './trigger.ts';
import { type MainTrigger, noDataSpec, rearmMargin, specOf } from './trigger-spec.ts';
import { bpsOf, centsOf, count, type Quantity, rateOf } from './units.ts';

/**
 * The triggers of a rule: the main trigger first, then one for missing data if the rule asks for it. For a
 * rule that repeats, the first firing makes a further trigger (decide.ts). A stored rule may have modifiers
 * that are refused today; they have no effect.
 */
export function compileRule(stored: Rule): TriggerSpec[] {
  const rule = withoutRefused(stored);
  const main = compileMain(rule);
  const specs = [specOf(rule, main)];
  if (rule.on_no_data === 'alert') specs.push(noDataSpec(rule, main));
  return specs;
}

function compileMain(rule: Rule): MainTrigger {
  switch (rule.type) {
    case 'level':
      return compileLevel(rule);
    case 'change':
      return compileChange(rule);
    case 'any_change':
      return compileAnyChange(rule);
    case 'extreme':
      return compileExtreme(rule);
    case 'supply':
      return compileSupply(rule);
    case 'fill_rate':
      return compileFillRate(rule);
    case 'listing':
      return compileListing(rule);
  }
}

function compileLevel(rule: LevelRule): MainTrigger {
  return {
    ...standing(rule, subjectSeries(rule), priceSide(rule), centsOf),
    repeat: repeatStep(rule.repeat_every_further_percent),
    feeBps: bpsOf(rule.fee_percent ?? 0),
  };
}

/** A trigger on a number at or beyond a level; after firing it is silent until the number goes back. */
function standing<Level extends Quantity>(
  rule: Rule,
  base: BaseSeries,
  { direction, level }: Side<Level>,
  toUnit: (amount: number) => Level,
): MainTrigger {
  const rearmLevel = rearmFrom(level, direction, rearmMargin(rule, toUnit));
  return {
    base,
    series: keyOf(base),
    direction,
    level,
    rearmLevel: reachableRearm(rearmLevel, { level, direction, unit: unitOf(base) }),
    afterFiring: 'wait_for_rearm',
  };
}

function repeatStep(percent: number | undefined) {
  return percent === undefined ? null : { bps: bpsOf(percent), amount: null };
}

function compileAnyChange(rule: AnyChangeRule): MainTrigger {
  const base = subjectSeries(rule);
  const measure = rule.min_percent === undefined ? 'change' : 'change_pct';
  return {
    ...news(base, keyOf(base, { measure, baseline: { of: 'previous' } })),
    level:
      rule.min_percent === undefined ? centsOf(rule.min_amount ?? 0.01) : rateOf(rule.min_percent),
    atMostPerDay: rule.at_most_per_day ?? DEFAULT_ANY_CHANGE_PER_DAY,
  };
}

function compileExtreme(rule: ExtremeRule): MainTrigger {
  const base = subjectSeries(rule);
  const measure = rule.new === 'low' ? 'below_low' : 'above_high';
  return {
    ...news(base, keyOf(base, { measure, window: rule.within })),
    level: centsOf(rule.min_amount ?? 0.01),
    besides: [coverageCondition(base, rule.within, rule.min_history_hours)],
  };
}

/** A trigger on a one-off event, such as a new low: each one counts, so it stays armed. */
function news(base: BaseSeries, series: string): MainTrigger {
  return {
    base,
    series,
    direction: 'up',
    level: 1,
    rearmLevel: 0,
    afterFiring: 'stay_armed',
    whenAlreadyTrue: 'wait',
  };
}

function compileSupply(rule: SupplyRule): MainTrigger {
  const base = supplySeries(rule);
  const repeat = repeatStep(rule.repeat_every_further_percent);
  if (rule.becomes === undefined) {
    return { ...standing(rule, base, countSide(rule), count), repeat };
  }
  const [direction, level, rearmLevel] =
    rule.becomes === 'available' ? (['up', 1, 0] as const) : (['down', 0, 1] as const);
  return {
    base,
    series: keyOf(base),
    direction,
    level,
    rearmLevel,
    afterFiring: 'wait_for_rearm',
    whenAlreadyTrue: 'wait',
  };
}

function supplySeries({ zone, matching }: SupplyRule): BaseSeries {
  if (matching !== undefined) return listingSeries('count', matching);
  if (zone !== undefined) return { kind: 'presence', zone };
  return { kind: 'metric', metric: 'total_listings_active', zone: null };
}

function compileFillRate(rule: FillRateRule): MainTrigger {
  const base: BaseSeries = { kind: 'metric', metric: 'listing_fill_rate', zone: null };
  return standing(rule, base, rateSide(rule), rateOf);
}

function compileListing(rule: ListingRule): MainTrigger {
  const base = listingSeries('new_cheapest', rule);
  const feeBps = bpsOf(rule.fee_percent ?? 0);
  return {
    ...news(base, keyOf(base)),
    direction: 'down',
    level: dearestWithin(centsOf(rule.at_or_below), feeBps),
    rearmLevel: Number.MAX_SAFE_INTEGER,
    whenAlreadyTrue: 'fire',
    feeBps,
  };
}
