import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Demand,
  expectedPulls,
  maxSpacingMs,
  planSpacingScale,
  rateAt,
  spacingOf,
} from '#shared/polling/pacing.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

const demands = fc.array(
  fc.record({
    naturalMs: fc.integer({ min: minuteMs, max: 2 * dayMs }),
    weight: fc.double({ min: 0.01, max: 200, noNaN: true }),
  }),
  { minLength: 1, maxLength: 60 },
);

const cost = (fleet: readonly Demand[], spacings: readonly number[]) =>
  fleet.reduce((sum, { weight }, index) => sum + weight * (spacings[index] ?? 0), 0);

describe('a fleet’s stretch', () => {
  it('is none while the demand fits', () => {
    expect(planSpacingScale([{ naturalMs: dayMs, weight: 1 }], 2 / dayMs)).toBe(0);
    expect(planSpacingScale([], 0)).toBe(0);
  });

  it('halves the pace of equals for half the pulls', () => {
    const fleet = Array.from({ length: 4 }, () => ({ naturalMs: dayMs / 24, weight: 1 }));
    const stretchMs = planSpacingScale(fleet, 48 / dayMs);

    expect(fleet.map((demand) => Math.round(spacingOf(demand, stretchMs) / minuteMs))).toEqual([
      120, 120, 120, 120,
    ]);
  });

  it('gives four times the weight half the spacing', () => {
    const [heavy, light] = [
      { naturalMs: minuteMs, weight: 4 },
      { naturalMs: minuteMs, weight: 1 },
    ];
    const stretchMs = planSpacingScale([heavy, light], 3 / dayMs);

    expect(spacingOf(heavy, stretchMs) / spacingOf(light, stretchMs)).toBeCloseTo(0.5, 9);
    expect(expectedPulls(heavy, stretchMs, dayMs)).toBeCloseTo(2, 6);
  });

  it('leaves a feed that asks for little alone', () => {
    const [daily, busy] = [
      { naturalMs: dayMs, weight: 1 },
      { naturalMs: minuteMs, weight: 1 },
    ];
    const stretchMs = planSpacingScale([daily, busy], 11 / dayMs);

    expect(spacingOf(daily, stretchMs)).toBe(0);
    expect(expectedPulls(busy, stretchMs, dayMs)).toBeCloseTo(10, 6);
  });

  it('stops everything when nothing may be spent', () => {
    const stretchMs = planSpacingScale([{ naturalMs: minuteMs, weight: 5 }], 0);
    expect(expectedPulls({ naturalMs: minuteMs, weight: 5 }, stretchMs, dayMs)).toBeLessThan(0.01);
  });

  it('spends what may be spent, no more and no less', () => {
    fc.assert(
      fc.property(demands, fc.double({ min: 0.01, max: 1, noNaN: true }), (fleet, share) => {
        const wished = rateAt(fleet, 0);
        const allowed = wished * share;
        const rate = rateAt(fleet, planSpacingScale(fleet, allowed));
        // A feed that may not be polled still has its turn once in `never`.
        expect(rate).toBeLessThanOrEqual(allowed * 1.000001 + fleet.length / maxSpacingMs);
        expect(rate / allowed).toBeGreaterThan(0.999);
      }),
    );
  });

  it('does less harm than any other way to spend the same', () => {
    fc.assert(
      fc.property(
        demands,
        fc.array(fc.double({ min: 0.8, max: 1.25, noNaN: true }), { minLength: 60, maxLength: 60 }),
        (fleet, nudges) => {
          const allowed = rateAt(fleet, 0) / 3;
          const stretchMs = planSpacingScale(fleet, allowed);
          const best = fleet.map((demand) =>
            Math.max(demand.naturalMs, spacingOf(demand, stretchMs)),
          );
          const other = best.map((each, index) =>
            Math.max(fleet[index]?.naturalMs ?? 0, each * (nudges[index] ?? 1)),
          );
          const spends = other.reduce((sum, each) => sum + 1 / each, 0);
          fc.pre(spends <= allowed);
          expect(cost(fleet, best)).toBeLessThanOrEqual(cost(fleet, other) * 1.000001);
        },
      ),
    );
  });
});
