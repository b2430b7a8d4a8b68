// A restored trigger goes on from the alerts that it raised since the backup, as if it had raised them itself.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Alert, alertIdOf, recoveryIdOf } from '#shared/alerts/alert.ts';
import { continueTrigger } from '#shared/alerts/continue-trigger.ts';
import { decideTrigger } from '#shared/rules/decide.ts';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import type { Firing } from '#shared/rules/transitions.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { anAlert } from '#test/support/alerts.ts';
import { aTrigger, triggerOf } from '#test/support/triggers.ts';

const armed = aTrigger({ createdAt: 0, state: 'armed', movedThrough: 1_000, generation: 3 });
const fired = (observedAt: number, changes: Partial<Alert> = {}) =>
  anAlert({
    alertId: alertIdOf('trg_1', 3),
    triggerId: 'trg_1',
    observedAt,
    value: 7_000,
    ...changes,
  });

describe('a restored trigger', () => {
  it('is fired after its alert, so that it neither alerts again nor reuses the id', () => {
    const { trigger } = continueTrigger(armed, [fired(2_000)]);
    expect(trigger).toMatchObject({ state: 'fired', generation: 3, movedThrough: 2_000 });
    expect(decideTrigger(trigger, 6_000, { observedAt: 2_000 }).kind).toBe('hold');
    const { kind, next } = decideTrigger(trigger, 9_000, { observedAt: 3_000 }) as {
      kind: string;
      next: Trigger;
    };
    expect([kind, next.generation]).toEqual(['rearm', 4]);
  });

  it('takes the newest of several alerts, whatever their order', () => {
    const later = fired(3_000, { alertId: alertIdOf('trg_1', 4) });
    const { trigger } = continueTrigger(armed, [later, fired(2_000)]);
    expect(trigger).toMatchObject({ state: 'fired', generation: 4, movedThrough: 3_000 });
    expect(trigger.memory.firings.at(-1)).toBe(3_000);
  });

  it('is armed after a recovery', () => {
    const recovery = fired(3_000, { alertId: recoveryIdOf('trg_1', 3), role: 'recovery' });
    const { trigger } = continueTrigger(armed, [fired(2_000), recovery]);
    expect(trigger).toMatchObject({ state: 'armed', generation: 4, movedThrough: 3_000 });
  });

  it.each([
    ['an alert from before the backup', fired(1_000)],
    ['an alert that a limit of the rule stopped', fired(2_000, { unsentReason: 'cap' })],
    ['another trigger’s alert', fired(2_000, { triggerId: 'trg_2' })],
  ])('is not changed by %s', (_, alert) => {
    expect(continueTrigger(armed, [alert]).trigger).toBe(armed);
  });
});

it('goes on exactly as the trigger that raised the alerts, for the alerts’ moments', () => {
  const rules = fc.constantFrom<object>(
    { type: 'level', metric: 'get_in', at_or_below: 80 },
    { type: 'level', metric: 'get_in', at_or_below: 80, tell_recovery: true },
    { type: 'level', metric: 'get_in', at_or_below: 80, at_most_per_day: 3 },
    { type: 'level', metric: 'get_in', at_or_below: 80, repeat_every_further_percent: 5 },
  );
  fc.assert(
    fc.property(rules, fc.array(fc.integer({ min: 5_000, max: 12_000 })), (given, prices) => {
      const rule = ruleSchema.parse(given);
      const start: Trigger = { ...triggerOf(rule, 0), state: 'armed', movedThrough: 0 };
      let trigger = start;
      const alerts: Alert[] = [];
      for (const [index, price] of prices.entries()) {
        const decision = decideTrigger(trigger, price, { observedAt: index + 1, base: price });
        if (decision.kind === 'hold' || decision.kind === 'retire') continue;
        if (decision.kind === 'fire') alerts.push(alertOf(decision.firing));
        if (decision.kind === 'rearm' && decision.recovery) alerts.push(alertOf(decision.recovery));
        trigger = decision.next;
      }
      const last = alerts.at(-1);
      fc.pre(last !== undefined && trigger.movedThrough === last.observedAt);
      expect(continueTrigger(start, alerts).trigger).toEqual(trigger);
    }),
  );
});

function alertOf({ role, generation, observedAt, value, base, baseline }: Firing): Alert {
  const alertId = (role === 'recovery' ? recoveryIdOf : alertIdOf)('trg_1', generation);
  return anAlert({ alertId, triggerId: 'trg_1', role, observedAt, value, base, baseline });
}
