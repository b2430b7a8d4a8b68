/**
 * From a rule to its triggers. Knows nothing of triggers' states, nor whether the event has the zone
 * that the rule names (validate.ts).
 */
import { centsOf, WHOLE_BPS } from './money.ts';
import type { Rule } from './rule.ts';
import { seriesKeyOf } from './series.ts';
import type { Direction, TriggerSpec } from './trigger.ts';

const DEFAULT_REARM_MARGIN_BPS = 300;

/** The triggers of a rule, the one that the rule is about first. */
export function compileRule(rule: Rule): TriggerSpec[] {
  const direction = rule.at_or_below === undefined ? 'up' : 'down';
  const level = centsOf(rule.at_or_below ?? rule.at_or_above ?? 0);
  return [
    {
      series: seriesKeyOf({ metric: rule.metric, zone: rule.zone ?? null }),
      direction,
      level,
      rearmLevel: rearmLevelOf(direction, level),
      whenAlreadyTrue: 'fire',
    },
  ];
}

/** The level moved back by the margin, rounded away from it and so always strictly beyond. */
function rearmLevelOf(direction: Direction, level: number): number {
  const margin = Math.max(1, Math.ceil((level * DEFAULT_REARM_MARGIN_BPS) / WHOLE_BPS));
  return direction === 'down' ? level + margin : level - margin;
}
