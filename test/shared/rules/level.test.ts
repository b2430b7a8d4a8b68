/** A level rule from its JSON to its alerts. */
import { describe, expect, it } from 'vitest';
import { compileRule } from '#shared/rules/compile.ts';
import { decideTrigger } from '#shared/rules/decide.ts';
import { ruleSchema } from '#shared/rules/rule.ts';
import { ruleSentence } from '#shared/rules/sentence.ts';
import { createTrigger, type Trigger } from '#shared/rules/trigger.ts';

const identity = {
  triggerId: 'trg_1',
  watchId: 'wat_1',
  ruleId: 'rul_1',
  ownerId: 'own_1',
  eventId: 7,
};

function kinds(rule: unknown, values: (number | null)[]): string[] {
  const [spec] = compileRule(ruleSchema.parse(rule));
  if (!spec) throw new Error('the rule compiles to nothing');
  let trigger: Trigger = createTrigger(spec, identity, 1000);
  return values.map((value, index) => {
    const decision = decideTrigger(trigger, value, { observedAt: 1000 + index });
    if (decision.kind !== 'hold') trigger = decision.next;
    return decision.kind === 'fire' ? `fire ${trigger.generation}` : decision.kind;
  });
}

describe('a level rule', () => {
  it('compiles to one trigger whose rearm level is 3 % away', () => {
    const rule = ruleSchema.parse({
      type: 'level',
      metric: 'get_in',
      zone: 'Lower Bowl',
      at_or_below: 80,
    });
    expect(compileRule(rule)).toEqual([
      {
        series: 'stats/get_in/zone=Lower%20Bowl',
        direction: 'down',
        level: 8000,
        rearmLevel: 8240,
        whenAlreadyTrue: 'fire',
      },
    ]);
    expect(ruleSentence(rule)).toBe('Get-in of Lower Bowl at or below $80.00');
  });

  it('fires on reaching its level and again only after re-arming', () => {
    expect(
      kinds(
        { type: 'level', metric: 'get_in', at_or_below: 100 },
        [10100, 9999, 10001, 9998, 10002, 9950, 10301, 9990],
      ),
    ).toEqual(['arm', 'fire 1', 'hold', 'hold', 'hold', 'hold', 'rearm', 'fire 2']);
  });

  it('fires at once when it is already true, and says so once', () => {
    expect(
      kinds({ type: 'level', metric: 'get_in', at_or_below: 139 }, [12000, 12000, 11800]),
    ).toEqual(['fire 1', 'hold', 'hold']);
  });

  it('neither fires nor re-arms on no value', () => {
    expect(
      kinds({ type: 'level', metric: 'get_in', at_or_below: 100 }, [null, 9000, null, 9100]),
    ).toEqual(['arm', 'fire 1', 'hold', 'hold']);
  });
});
