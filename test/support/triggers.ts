// A trigger as a rule makes it; a test changes the parts that matter to it.
import { compileRule } from '#shared/rules/compile.ts';
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';
import { createTrigger, type Trigger } from '#shared/rules/trigger.ts';

const identity = {
  triggerId: 'trg_1',
  watchId: 'wat_1',
  ruleId: 'rul_1',
  ownerId: 'own_1',
  eventId: 4711,
};

/** "get_in at or below 80", not yet matched against the market, with the given changes. */
export function aTrigger(said: Partial<Trigger> = {}): Trigger {
  const rule = ruleSchema.parse({ type: 'level', metric: 'get_in', at_or_below: 80 });
  return { ...triggerOf(rule, Date.parse('2026-03-01T12:00:00Z')), ...said };
}

/** The main trigger of a rule created at `createdAt`, epoch milliseconds. */
export function triggerOf(rule: Rule, createdAt: number): Trigger {
  const [spec] = compileRule(rule);
  if (!spec) throw new Error('the rule makes no trigger');
  return createTrigger(spec, identity, createdAt);
}
