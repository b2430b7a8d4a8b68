/** The arithmetic of changes and of belief, at its edges. */
import { describe, expect, it } from 'vitest';
import { rearmFrom, stepFrom } from '#shared/rules/level.ts';
import { cheapestReaching, dearestWithin, formatCents, withFeeCents } from '#shared/rules/money.ts';
import { isJump } from '#shared/rules/plausibility.ts';
import { measureChange, medianOf } from '#shared/rules/transform.ts';
import { bpsOf, cents } from '#shared/rules/units.ts';

describe('measureChange', () => {
  it.each([
    ['drop_pct', 8_500, 10_000, 1_500],
    ['drop_pct', 8_501, 10_000, 1_499],
    ['drop_pct', 85_001, 100_000, 1_499],
    ['drop_pct', 11_000, 10_000, -1_000],
    ['rise_pct', 4, 3, 3_333],
    ['rise_pct', 40, 0, 1_000_000_000_000],
    ['rise_pct', 0, 0, 0],
    ['drop_pct', 0, 0, 0],
    ['change_pct', 5, 10, 5_000],
    ['change_pct', 15, 10, 5_000],
    ['drop', 80, 100, 20],
    ['rise', 80, 100, -20],
    ['change', 80, 100, 20],
  ] as const)('%s of %i from %i is %i', (measure, value, baseline, change) => {
    expect(measureChange(measure, value, baseline)).toBe(change);
  });
});

describe('medianOf', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 3],
    [[1, 2], 2],
    [[10], 10],
    [[], null],
  ])('%j: %j', (values, median) => {
    expect(medianOf(values)).toBe(median);
  });
});

describe('isJump', () => {
  it.each([
    [1_000, 100, false],
    [1_000, 99, true],
    [100, 1_000, false],
    [100, 1_001, true],
  ])('from %i to %i: %j', (from, to, jumps) => {
    expect(isJump(from, to)).toBe(jumps);
  });
});

describe('levels', () => {
  const tenth = { bps: bpsOf(10), amount: null };

  it.each([
    [101, 'down', tenth, 90],
    [101, 'up', tenth, 112],
    [0, 'down', tenth, -1],
    [0, 'up', tenth, 1],
    [100, 'down', { bps: bpsOf(0), amount: null }, 99],
    [100, 'down', { bps: bpsOf(10), amount: cents(15) }, 85],
    [100, 'up', { bps: null, amount: cents(5) }, 105],
  ] as const)('a step from %i %s', (from, direction, step, level) => {
    expect(stepFrom(from, direction, step)).toBe(level);
  });

  it('re-arm on the other side, rounded away', () => {
    const margin = { bps: bpsOf(3), amount: null };
    expect(rearmFrom(cents(8_001), 'down', margin)).toBe(8_242);
    expect(rearmFrom(cents(8_001), 'up', margin)).toBe(7_760);
    expect(rearmFrom(cents(1), 'down', margin)).toBe(2);
  });
});

describe('money', () => {
  it('adds a fee, half a cent up', () => {
    expect([withFeeCents(18_000, 3_500), withFeeCents(1, 5_000), withFeeCents(1, 4_999)]).toEqual([
      24_300, 2, 1,
    ]);
  });

  it('finds the last price within a level, and the first that reaches it, fee included', () => {
    for (let percent = 0; percent <= 100; percent += 0.37) {
      const feeBps = bpsOf(percent);
      const dearest = dearestWithin(cents(9_999), feeBps);
      expect(withFeeCents(dearest, feeBps)).toBeLessThanOrEqual(9_999);
      expect(withFeeCents(dearest + 1, feeBps)).toBeGreaterThan(9_999);
      const cheapest = cheapestReaching(cents(9_999), feeBps);
      expect(withFeeCents(cheapest, feeBps)).toBeGreaterThanOrEqual(9_999);
      expect(withFeeCents(cheapest - 1, feeBps)).toBeLessThan(9_999);
    }
  });

  it.each([
    [8_000, '$80'],
    [5, '$0.05'],
    [123_450, '$1,234.50'],
    [1_000_000_000, '$10,000,000'],
    [-250, '-$2.50'],
  ])('prints %i as %s', (cents, printed) => {
    expect(formatCents(cents)).toBe(printed);
  });
});
