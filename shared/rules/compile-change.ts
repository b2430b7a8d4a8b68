/**
 * The triggers of change rules, by baseline: of a window, of the previous snapshot, or kept by the trigger.
 */

import { coverageCondition } from './coverage.ts';
import type { ChangeRule } from './language/rule.ts';
import {
  amountIn,
  type ChangeLevel,
  changeLevel,
  keyOf,
  readChange,
  seriesBaseline,
  subjectSeries,
} from './language/subject.ts';
import { rearmFrom } from './level.ts';
import type { Baseline } from './series.ts';
import type { BaseSeries } from './sources/sources.ts';
import type { LevelStep } from './trigger.ts';
import { type MainTrigger, rearmMargin } from './trigger-spec.ts';
import { bpsOf, type Rate, rateOf } from './units.ts';

export function compileChange(rule: ChangeRule): MainTrigger {
  const base = subjectSeries(rule);
  const baseline = seriesBaseline(rule.from);
  return baseline === null ? compileRelative(rule, base) : compileSeen(rule, base, baseline);
}

/**
 * For a baseline that the trigger keeps: a level on the number itself. It is set at the first snapshot, and
 * again whenever the baseline moves.
 */
function compileRelative(rule: ChangeRule, base: BaseSeries): MainTrigger {
  const { way, by } = readChange(rule);
  const least = by.amount ?? by.min_amount;
  const direction = way === 'drop' ? 'down' : 'up';
  return {
    base,
    series: keyOf(base),
    direction,
    level: direction === 'down' ? -1 : Number.MAX_SAFE_INTEGER,
    rearmLevel: direction === 'down' ? Number.MAX_SAFE_INTEGER : -1,
    afterFiring: rule.from.of === 'last_alert' ? 'follow' : 'wait_for_rearm',
    whenAlreadyTrue: 'wait',
    relative: {
      step: {
        bps: by.percent === undefined ? null : bpsOf(by.percent),
        amount: least === undefined ? null : amountIn(base, least),
      },
      rearmMargin: rearmMargin(rule, (amount) => amountIn(base, amount)),
    },
    repeat:
      rule.repeat_every_further_percent === undefined
        ? null
        : { bps: bpsOf(rule.repeat_every_further_percent), amount: null },
  };
}

/** For a baseline from the snapshot's history: a level on the change. */
function compileSeen(rule: ChangeRule, base: BaseSeries, baseline: Baseline): MainTrigger {
  const change = changeLevel(base, baseline, rule);
  const { series, level, least } = change;
  const window = 'window' in baseline ? baseline.window : null;
  return {
    base,
    series,
    direction: 'up',
    level,
    rearmLevel: rearmOf(rule, base, change),
    afterFiring: window === null ? 'stay_armed' : 'wait_for_rearm',
    whenAlreadyTrue: 'wait',
    repeat:
      rule.repeat_every_further_percent === undefined
        ? null
        : { bps: null, amount: rateOf(rule.repeat_every_further_percent) },
    besides: [window && coverageCondition(base, window, rule.min_history_hours)],
    leastChange: least,
  };
}

/**
 * The change at which the rule re-arms. By default 3 points of a percent, or half of an amount, must be
 * undone; never more than half of the change, so that a small change can re-arm.
 */
function rearmOf(rule: ChangeRule, base: BaseSeries, change: ChangeLevel): number {
  if (change.isPercent) return rearmFrom(change.level, 'up', pointsMargin(rule, change.level));
  const { level } = change;
  if (rule.rearm_amount === undefined && rule.rearm_percent === undefined) {
    return level - Math.ceil(level / 2);
  }
  return rearmFrom(
    level,
    'up',
    rearmMargin(rule, (amount) => amountIn(base, amount)),
  );
}

const DEFAULT_MARGIN_POINTS = 3;

function pointsMargin({ rearm_percent: points }: ChangeRule, level: Rate): LevelStep<Rate> {
  if (points !== undefined) return { bps: null, amount: rateOf(points) };
  const half = Math.ceil(level / 2) / 100;
  return { bps: null, amount: rateOf(Math.min(half, DEFAULT_MARGIN_POINTS)) };
}
