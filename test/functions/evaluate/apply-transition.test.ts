// The count of new alerts of one transition, and the state that the rest of the run works on.
import { describe, expect, it } from 'vitest';
import { createApplyTransition } from '#functions/evaluate/apply-transition.ts';
import type { RaiseOutcome } from '#functions/evaluate/raise-alert.ts';
import { CatchUp } from '#shared/rules/catch-up.ts';
import { decideTrigger } from '#shared/rules/decide.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { startTestTables } from '#test/support/tables.ts';
import { aTrigger } from '#test/support/triggers.ts';

const now = Date.parse('2026-03-01T13:00:00Z');
const armed = aTrigger({ state: 'armed' });

/** Applies the firing of an armed trigger; what becomes of its alert is given. */
async function applyFiring(outcome: RaiseOutcome) {
  const { stores, stop } = await startTestTables();
  await stores.triggers.create(armed);
  const triggers = stores.triggers.forEvent(armed.eventId);
  const trigger = (await triggers.index.find(armed.triggerId)) ?? armed;
  const decision = decideTrigger(trigger, 7_000, { observedAt: now, now, eventStartsAt: null });
  if (decision.kind !== 'fire') throw new Error(`it is a ${decision.kind}`);
  const run = new CatchUp();
  const apply = createApplyTransition({
    createTrigger: stores.triggers.create,
    raiseAlert: async () => outcome,
  });
  const readChart = async () => undefined;
  const context = { triggers, run, previous: null, readChart, now };
  const alerts = await apply({ trigger, decision }, context);
  const stored = await stores.triggers.find(armed.triggerId);
  await stop();
  const known: Trigger | null | undefined = run.known(armed.triggerId);
  return { alerts, stored: stored?.state, known: known?.state };
}

describe('a firing', () => {
  it.each([
    ['raised', { alerts: 1, stored: 'fired', known: undefined }],
    ['raised_before', { alerts: 0, stored: 'fired', known: undefined }],
    ['not_wanted', { alerts: 0, stored: 'armed', known: 'armed' }],
  ] as const)('whose alert is %s leaves %j', async (outcome, left) => {
    expect(await applyFiring(outcome)).toEqual(left);
  });
});
