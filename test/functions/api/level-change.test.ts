// The change of levels by a bulk change: in whole cents, and of the rules that it is about.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeLevels, type LevelChange } from '#functions/api/watches/bulk/level-change.ts';
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';

const ruleAt = (level: number): Rule =>
  ruleSchema.parse({ type: 'level', metric: 'get_in', at_or_below: level });
const watchOf = (...rules: Rule[]) => ({
  rules: rules.map((rule, at) => ({ ruleId: `rul_${at}`, rule, triggerIds: [`trg_${at}`] })),
});
const levelAfter = (level: number, change: Omit<LevelChange, 'type'>) => {
  const outcome = changeLevels(watchOf(ruleAt(level)), { type: 'change_level', ...change });
  return 'refused' in outcome
    ? outcome.refused
    : Reflect.get(outcome.rules[0]?.rule ?? {}, 'at_or_below');
};

describe('a level', () => {
  it.each<[number, Omit<LevelChange, 'type'>, number]>([
    [80, { by_percent: -5 }, 76],
    [79.99, { by_percent: -5 }, 75.99],
    [0.5, { by_percent: 1 }, 0.51],
    [33.33, { by_percent: 33.33 }, 44.44],
    [10.05, { by_percent: 10 }, 11.06],
    [1.01, { by_percent: 50 }, 1.52],
    [80, { by_dollars: -0.01 }, 79.99],
    [0.29, { by_dollars: 0.28 }, 0.57],
    [80, { to: 12.3 }, 12.3],
  ])('of %d with %o is %d', (level, change, expected) => {
    expect(levelAfter(level, change)).toBe(expected);
  });

  it('is never 0 or less, nor above the most', () => {
    expect(levelAfter(5, { by_dollars: -5 })).toBe(
      'rule “Get-in at or below $5” would have a level of $0 or less',
    );
    expect(levelAfter(0.01, { by_percent: -60 })).toContain('would have a level of $0 or less');
    expect(levelAfter(9_000_000, { by_percent: 100 })).toContain('would not be valid: must be');
  });

  it('is whole cents, within half a cent of the exact amount', () => {
    const cents = fc.integer({ min: 1, max: 100_000_000 });
    const percent = fc
      .integer({ min: -9_999, max: 100_000 })
      .filter((bps) => bps !== 0)
      .map((bps) => bps / 100);
    fc.assert(
      fc.property(cents, percent, (before, by) => {
        const after = levelAfter(before / 100, { by_percent: by });
        if (typeof after === 'string') return;
        const exact = (before * (10_000 + Math.round(by * 100))) / 10_000;
        expect(Math.abs(Math.round(after * 100) - exact)).toBeLessThanOrEqual(0.5 + 1e-6);
        expect(Math.round(after * 100) / 100).toBe(after);
      }),
    );
  });

  it('keeps its rule’s id, its triggers and everything else of it', () => {
    const rule = ruleSchema.parse({
      ...{ type: 'level', metric: 'get_in', zone: 'Court', above: 90 },
      ...{ cool_down_minutes: 30, fee_percent: 20 },
    });
    const watch = watchOf(rule);
    const outcome = changeLevels(watch, { type: 'change_level', by_percent: 10 });
    expect(outcome).toEqual({
      unfit: [],
      rules: [{ ...watch.rules[0], rule: { ...rule, above: 99 } }],
    });
  });
});

describe('rules that the change is not about', () => {
  const median = ruleSchema.parse({ type: 'level', metric: 'median_price', at_or_below: 50 });
  const listing = ruleSchema.parse({ type: 'listing', at_or_below: 50 });
  const drop = ruleSchema.parse({
    ...{ type: 'change', metric: 'get_in', drops_by: { percent: 5 } },
    from: { of: 'high', window: '24h' },
  });
  const watch = watchOf(ruleAt(50), median, listing, drop);

  it.each<[Omit<LevelChange, 'type'>, number[]]>([
    [{ to: 9 }, [9, 9, 9]],
    [{ to: 9, metric: 'median_price' }, [50, 9, 50]],
    [{ to: 9, rule_type: 'listing' }, [50, 50, 9]],
    [{ to: 9, rule_type: 'level' }, [9, 9, 50]],
    [{ to: 9, rule_type: 'listing', metric: 'get_in' }, [50, 50, 50]],
  ])('with %o the levels are %o', (change, levels) => {
    const outcome = changeLevels(watch, { type: 'change_level', ...change });
    if ('refused' in outcome) throw new Error(outcome.refused);
    const found = outcome.rules.map(({ rule }) => Reflect.get(rule, 'at_or_below'));
    expect(found.slice(0, 3)).toEqual(levels);
    expect(outcome.rules[3]).toEqual(watch.rules[3]);
    expect(outcome.unfit).toHaveLength(4 - levels.filter((level) => level === 9).length);
  });
});
