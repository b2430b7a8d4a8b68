/** What one snapshot does to one trigger, where a play of rules does not show it: reasons and numbers. */
import { describe, expect, it } from 'vitest';
import { compileRule } from '#shared/rules/compile.ts';
import { type Decision, decideTrigger } from '#shared/rules/decide.ts';
import { furtherTriggerId } from '#shared/rules/further-trigger-id.ts';
import { createTrigger, type Trigger } from '#shared/rules/trigger.ts';
import type { SnapshotFacts } from '#shared/rules/trigger-limits.ts';
import { DAY_MS } from '#shared/rules/window.ts';
import { MINUTE, ruleOf, START } from '#test/support/rules/market.ts';

const level = { type: 'level', metric: 'get_in', at_or_below: 100 };
const identity = {
  triggerId: 'trg_1',
  watchId: 'wat_1',
  ruleId: 'rul_1',
  ownerId: 'own_1',
  eventId: 7,
};

function aTrigger(rule: unknown, fields: Partial<Trigger> = {}): Trigger {
  const [spec] = compileRule(ruleOf(rule));
  if (!spec) throw new Error('the rule compiles to nothing');
  return { ...createTrigger(spec, identity, START), state: 'armed', ...fields };
}

function reason(
  trigger: Trigger,
  value: number | null,
  facts: Partial<SnapshotFacts> = {},
): string {
  const decision = decideTrigger(trigger, value, { observedAt: START + MINUTE, ...facts });
  return `${decision.kind}: ${decision.reason}`;
}

function fired(decision: Decision): Extract<Decision, { kind: 'fire' }> {
  if (decision.kind !== 'fire') throw new Error(`not fired but ${decision.kind}`);
  return decision;
}

describe('decideTrigger', () => {
  const condition = { type: 'supply', metric: 'total_listings_active', at_or_below: 40 };

  it.each([
    ['a level reached', aTrigger(level), 9_900, {}, 'fire: reached'],
    ['a level not reached', aTrigger(level), 10_001, {}, 'hold: not_reached'],
    ['no value', aTrigger(level), null, {}, 'hold: no_value'],
    ['a first look', aTrigger(level, { state: 'new' }), 10_001, {}, 'arm: first_look'],
    ['a first look that is true', aTrigger(level, { state: 'new' }), 1, {}, 'fire: already_true'],
    [
      'a first look that is true, to wait',
      aTrigger({ ...level, when_already_true: 'wait' }, { state: 'new' }),
      1,
      {},
      'silence: already_true',
    ],
    [
      'a first look at a snapshot before the trigger',
      aTrigger(level, { state: 'new' }),
      1,
      { observedAt: START - 1 },
      'fire: already_true',
    ],
    [
      'the same, while newer snapshots are known',
      aTrigger(level, { state: 'new' }),
      1,
      { observedAt: START - 1, isNewest: false },
      'hold: older_than_trigger',
    ],
    [
      'a snapshot before the trigger',
      aTrigger(level),
      1,
      { observedAt: START - 1 },
      'hold: older_than_trigger',
    ],
    [
      'a snapshot that moved it before',
      aTrigger(level, { movedThrough: START + MINUTE }),
      1,
      {},
      'hold: older_than_last_move',
    ],
    ['a jump', aTrigger(level), 900, { isSuspect: true }, 'pend: implausible'],
    [
      'a jump back',
      aTrigger(level, { state: 'fired' }),
      99_999,
      { isSuspect: true },
      'hold: implausible',
    ],
    [
      'a fired level behind its rearm level',
      aTrigger(level, { state: 'fired' }),
      10_300,
      {},
      'rearm: passed_rearm_level',
    ],
    [
      'a fired level before its rearm level',
      aTrigger(level, { state: 'fired' }),
      10_299,
      {},
      'hold: not_rearmed',
    ],
    [
      'two confirmations, the first',
      aTrigger({ ...level, confirmations: 2 }),
      9_900,
      {},
      'pend: unconfirmed',
    ],
    [
      'two confirmations, the second',
      aTrigger(
        { ...level, confirmations: 2 },
        {
          state: 'pending',
          memory: {
            baseline: null,
            firings: [],
            announced: [],
            pending: { count: 1, baseline: null, alreadyTrue: false },
          },
        },
      ),
      9_900,
      {},
      'fire: confirmed',
    ],
    [
      'a condition that does not hold',
      aTrigger({ ...level, all_of: [condition] }),
      1,
      {},
      'hold: conditions_not_met',
    ],
    [
      'a condition that holds',
      aTrigger({ ...level, all_of: [condition] }),
      1,
      { holds: () => true },
      'fire: reached',
    ],
    [
      'an event too far away',
      aTrigger({ ...level, within_days_of_event: 7 }),
      1,
      { eventStartsAt: START + 8 * DAY_MS },
      'hold: too_early',
    ],
    [
      'an event near enough',
      aTrigger({ ...level, within_days_of_event: 7 }),
      1,
      { eventStartsAt: START + 7 * DAY_MS },
      'fire: reached',
    ],
    [
      'an event whose start nobody knows',
      aTrigger({ ...level, within_days_of_event: 7 }),
      1,
      {},
      'hold: too_early',
    ],
    ['an event that has begun', aTrigger(level), 1, { eventStartsAt: START }, 'retire: event_past'],
    [
      'a rule that is over',
      aTrigger({ ...level, expires_at: '2026-11-01T00:00:00Z' }),
      1,
      {},
      'retire: expired',
    ],
    [
      'a cool-down that is not over',
      aTrigger(
        { ...level, cool_down_minutes: 5 },
        { memory: { baseline: null, firings: [START - 3 * MINUTE], announced: [], pending: null } },
      ),
      1,
      {},
      'hold: cooling_down',
    ],
    [
      'a day’s alerts that are spent',
      aTrigger(
        { ...level, at_most_per_day: 1 },
        {
          memory: {
            baseline: null,
            firings: [START - 1_430 * MINUTE],
            announced: [],
            pending: null,
          },
        },
      ),
      1,
      {},
      'hold: daily_limit',
    ],
  ] as const)('%s', (_, trigger, value, facts, outcome) => {
    expect(reason(trigger, value, facts)).toBe(outcome);
  });

  it('sets the baseline of a change from the start of the watch at its first look', () => {
    const rule = {
      type: 'change',
      ...{ metric: 'get_in', drops_by: { percent: 10 }, from: { of: 'watch_start' } },
    };
    const trigger = aTrigger(rule, { state: 'new' });
    const decision = decideTrigger(trigger, 10_105, { observedAt: START });
    expect(decision).toMatchObject({
      kind: 'arm',
      reason: 'baseline_set',
      next: { state: 'armed', level: 9_094, rearmLevel: 9_367, memory: { baseline: 10_105 } },
    });
    expect(reason(trigger, null)).toBe('hold: no_baseline');
  });

  it('freezes the numbers of a firing, with the fee beside the price', () => {
    const trigger = aTrigger({ ...level, at_or_below: 243, fee_percent: 35 }, { generation: 4 });
    const { firing, next } = fired(decideTrigger(trigger, 17_999, { observedAt: START + MINUTE }));
    expect(firing).toMatchObject({
      triggerId: 'trg_1',
      generation: 4,
      observedAt: START + MINUTE,
      value: 17_999,
      level: 18_000,
      withFee: 24_299,
      baseline: null,
      isFromNone: false,
    });
    expect(next).toMatchObject({ state: 'fired', generation: 4, movedThrough: START + MINUTE });
  });

  it('arms a further trigger under a generation of its own firing', () => {
    const rule = { ...level, at_or_below: 290, repeat_every_further_percent: 2 };
    const main = aTrigger(rule, { generation: 3 });
    const { next, further } = fired(decideTrigger(main, 28_300, { observedAt: START + MINUTE }));
    expect(further).toMatchObject({
      triggerId: furtherTriggerId('trg_1'),
      role: 'further',
      state: 'armed',
      level: 27_734,
      generation: 30_001,
      mainGeneration: 3,
    });
    if (!further) throw new Error('no further trigger');
    const later = { observedAt: START + 2 * MINUTE };
    const step = fired(decideTrigger(further, 27_600, { ...later, partner: next }));
    expect(step.next).toMatchObject({ state: 'armed', level: 27_048, generation: 30_002 });
    expect(step.firing).toMatchObject({ generation: 30_001, baseline: 28_300, value: 27_600 });
    const superseded = { kind: 'retire', reason: 'superseded' };
    const rearmed = { ...next, state: 'armed' as const, generation: 4 };
    const firedAgain = { ...rearmed, state: 'fired' as const };
    for (const partner of [rearmed, firedAgain, null]) {
      expect(decideTrigger(further, 27_600, { ...later, partner })).toEqual(superseded);
    }
  });

  it('fires again as it did when a run ended with its further trigger stored and itself not moved', () => {
    const repeat = { repeat_every_further_percent: 2, cool_down_minutes: 5, at_most_per_day: 1 };
    const main = aTrigger({ ...level, at_or_below: 290, ...repeat });
    const facts = { observedAt: START + MINUTE };
    const first = decideTrigger(main, 28_300, facts);
    expect(decideTrigger(main, 28_300, { ...facts, partner: fired(first).further })).toEqual(first);
  });

  it.each([
    [{ cool_down_minutes: 5 }, [1]],
    [{ at_most_per_day: 3 }, [-1_900, -10, 1]],
  ])('remembers as many firings as %j needs', (limits, minutes) => {
    const firings = [-2_000, -1_900, -10].map((minute) => START + minute * MINUTE);
    const memory = { baseline: null, firings, announced: [], pending: null };
    const trigger = aTrigger({ ...level, ...limits }, { memory });
    const { next } = fired(decideTrigger(trigger, 9_900, { observedAt: START + MINUTE }));
    expect(next.memory.firings.map((at) => (at - START) / MINUTE)).toEqual(minutes);
  });
});
