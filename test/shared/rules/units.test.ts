/** Units are types: TypeScript refuses to mix them, and at run time they are plain integers. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { rearmFrom } from '#shared/rules/level.ts';
import { formatCents } from '#shared/rules/money.ts';
import type { LevelStep } from '#shared/rules/trigger.ts';
import {
  type Bps,
  bpsOf,
  type Cents,
  cents,
  centsOf,
  count,
  type Rate,
  rateOf,
} from '#shared/rules/units.ts';

describe('units', () => {
  it('are plain integers', () => {
    expect([centsOf(79.5), count(40), rateOf(15), bpsOf(3)]).toEqual([7_950, 40, 1_500, 300]);
  });

  it('do not mix: dollars are no margin of a change in percent, and points are no dollars', () => {
    expectTypeOf<LevelStep<Cents>>().not.toExtend<LevelStep<Rate>>();
    expectTypeOf<LevelStep<Rate>>().not.toExtend<LevelStep<Cents>>();
    expectTypeOf<Bps>().not.toExtend<Rate>();
    expectTypeOf<number>().not.toExtend<Cents>();
    // @ts-expect-error: dollars are no distance from a change of 10 %.
    expect(rearmFrom(rateOf(10), 'up', { bps: null, amount: centsOf(50) })).toBe(-4_000);
    // @ts-expect-error: listings are no money.
    expect(formatCents(count(2_000))).toBe('$20');
    expect(formatCents(cents(2_000))).toBe('$20');
  });
});
