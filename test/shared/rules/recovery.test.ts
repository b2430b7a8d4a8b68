/** Edits and stored triggers of a rule with `tell_recovery`; README.md's cases have what it tells. */
import { describe, expect, it } from 'vitest';
import { compileRule } from '#shared/rules/compile.ts';
import { asksTheSame, editTrigger } from '#shared/rules/edit.ts';
import { createTrigger, type Trigger } from '#shared/rules/trigger.ts';
import { aSnapshot, Market, MINUTE, ruleOf, START } from '#test/support/rules/market.ts';

const level = { type: 'level', metric: 'get_in', at_or_below: 80 };
const telling = { ...level, tell_recovery: true };

/** The market after a fall to $79, with the rule. */
async function fallen(rule: object): Promise<Market> {
  const market = new Market();
  await market.make(rule, START);
  await market.see(aSnapshot(START, { get_in: 10_000 }));
  await market.see(aSnapshot(START + MINUTE, { get_in: 7_900 }));
  return market;
}

const goBack = (market: Market) => market.see(aSnapshot(START + 3 * MINUTE, { get_in: 9_000 }));

describe('an edit of a fired rule', () => {
  const edits: [string, object, object, number][] = [
    ['that changes nothing keeps its recovery', telling, telling, 1],
    ['that only asks to be told drops it', level, telling, 0],
    ['that asks no more to be told drops it', telling, level, 0],
    ['to a looser level drops it', telling, { ...telling, at_or_below: 85 }, 0],
    ['of a limit drops it', telling, { ...telling, cool_down_minutes: 5 }, 0],
    ['to a stricter level drops it', telling, { ...telling, at_or_below: 50 }, 0],
  ];

  it.each(edits)('%s', async (_, before, after, recoveries) => {
    const market = await fallen(before);
    await market.edit(after, START + 2 * MINUTE);
    await goBack(market);

    expect(market.recoveries).toHaveLength(recoveries);
    expect(market.trigger().state).toBe('armed');
  });
});

describe('a stored trigger', () => {
  const identity = {
    ...{ triggerId: 'trg_1', watchId: 'wat_1', ruleId: 'rul_1', ownerId: 'own_1' },
    eventId: 7,
  };
  const specOf = (rule: object) => {
    const [spec] = compileRule(ruleOf(rule));
    if (!spec) throw new Error('no trigger');
    return spec;
  };
  const stored = (rule: object): Trigger => createTrigger(specOf(rule), identity, START);

  it('of a rule that does not ask for it has no field of it', async () => {
    const market = await fallen({ ...level, tell_recovery: false });
    expect(market.trigger()).not.toHaveProperty('tellRecovery');
    expect(market.trigger().memory).not.toHaveProperty('alerted');
    await goBack(market);
    expect(market.recoveries).toEqual([]);
  });

  it('that differs from its rule in this alone is found and restored', () => {
    for (const [before, after] of [
      [level, telling],
      [telling, level],
    ] as const) {
      const wanted = { ...specOf(after), ...identity };
      expect(asksTheSame(stored(before), wanted, START)).toBe(false);
      expect(asksTheSame(stored(after), wanted, START)).toBe(true);
      const edited = editTrigger(stored(before), specOf(after), START);
      expect(edited.tellRecovery).toBe(specOf(after).tellRecovery);
    }
  });

  it('keeps the firing to end, and forgets it when it re-arms', async () => {
    const market = await fallen(telling);
    const alerted = { generation: 1, base: 7_900, observedAt: START + MINUTE };
    expect(market.trigger().memory.alerted).toEqual(alerted);
    await goBack(market);
    expect(market.trigger().memory).not.toHaveProperty('alerted');
    expect(market.recoveries[0]?.firing).toMatchObject({
      ...{ role: 'recovery', generation: 1, value: 9_000, backFrom: alerted },
    });
  });

  it('gives its further steps neither the field nor the firing', async () => {
    const market = await fallen({ ...telling, repeat_every_further_percent: 5 });
    const further = market.trigger('trg_1f');
    expect(further).not.toHaveProperty('tellRecovery');
    expect(further.memory).not.toHaveProperty('alerted');
  });
});
