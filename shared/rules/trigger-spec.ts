/** The parts that all triggers share: gates, conditions, margins. Does not know the kinds of rules. */

import type { Rule } from './language/rule.ts';
import { compileConditions } from './language/subject.ts';
import { parseSeries, type SeriesKey, seriesKeyOf } from './series.ts';
import type { BaseSeries } from './sources/sources.ts';
import type {
  AfterFiring,
  Direction,
  LevelStep,
  RelativeLevel,
  TriggerCondition,
  TriggerLimits,
  TriggerSpec,
} from './trigger.ts';
import { bpsOf, type Quantity } from './units.ts';
import { DAY_MS } from './window.ts';

/** A main trigger as its kind of rule compiles it; absent fields have the common default. */
export interface MainTrigger {
  /** The series without its window transform. */
  base: BaseSeries;
  series: SeriesKey;
  direction: Direction;
  level: number;
  rearmLevel: number;
  afterFiring: AfterFiring;
  /** @default 'fire' */
  whenAlreadyTrue?: 'fire' | 'wait';
  relative?: RelativeLevel;
  repeat?: LevelStep | null;
  /** Conditions from the rule's own fields, besides its listed conditions. */
  besides?: (TriggerCondition | null)[];
  leastChange?: number | null;
  feeBps?: number;
  atMostPerDay?: number;
}

export function specOf(rule: Rule, main: MainTrigger): TriggerSpec {
  return {
    role: 'main',
    series: clearedSeries(rule, main),
    direction: main.direction,
    level: main.level,
    rearmLevel: main.rearmLevel,
    afterFiring: main.afterFiring,
    whenAlreadyTrue: rule.when_already_true ?? main.whenAlreadyTrue ?? 'fire',
    relative: main.relative ?? null,
    repeat: main.repeat ?? null,
    gates: gatesOf(rule, main),
    condition: compileConditions(rule.all_of ?? [], rule.any_of ?? [], main.besides ?? []),
    leastChange: main.leastChange ?? null,
    feeBps: main.feeBps ?? 0,
    ...(rule.tell_recovery && { tellRecovery: true }),
  };
}

/** With `on_no_data: clear`, a missing value is read as one beyond the rearm level. */
function clearedSeries({ on_no_data }: Rule, main: MainTrigger): SeriesKey {
  if (on_no_data !== 'clear' || main.afterFiring !== 'wait_for_rearm') return main.series;
  const noValue = main.direction === 'down' ? 'none_high' : 'none_low';
  return seriesKeyOf({ ...parseSeries(main.series), noValue });
}

/**
 * The trigger that fires once when the number is missing, and again only after it was back. It has the limits
 * of the main trigger, and both count the alerts of both.
 */
export function noDataSpec(rule: Rule, main: MainTrigger): TriggerSpec {
  return {
    role: 'no_data',
    series: seriesKeyOf({ base: main.base, transform: null, noValue: 'missing' }),
    direction: 'up',
    level: 1,
    rearmLevel: 0,
    afterFiring: 'wait_for_rearm',
    whenAlreadyTrue: rule.when_already_true ?? 'fire',
    relative: null,
    repeat: null,
    gates: gatesOf(rule, main),
    condition: null,
    leastChange: null,
    feeBps: 0,
  };
}

const MINUTE_MS = 60_000;

function gatesOf(rule: Rule, main: MainTrigger): TriggerLimits {
  return {
    confirmations: rule.confirmations ?? 1,
    coolDownMs: (rule.cool_down_minutes ?? 0) * MINUTE_MS,
    atMostPerDay: main.atMostPerDay ?? rule.at_most_per_day ?? null,
    expiresAt: rule.expires_at === undefined ? null : Date.parse(rule.expires_at),
    withinMsOfEvent:
      rule.within_days_of_event === undefined ? null : rule.within_days_of_event * DAY_MS,
  };
}

const DEFAULT_MARGIN_PERCENT = 3;

/** How far a number must go back from its level before the rule may fire again, in the level's unit. */
export function rearmMargin<Level extends Quantity>(
  { rearm_amount: amount, rearm_percent: percent = DEFAULT_MARGIN_PERCENT }: Rule,
  toUnit: (amount: number) => Level,
): LevelStep<Level> {
  if (amount !== undefined) return { bps: null, amount: toUnit(amount) };
  return { bps: bpsOf(percent), amount: null };
}
