// The price of a pull, and when a feed is worth it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedAlerts } from '#shared/polling/value/reach.ts';
import {
  findPrice,
  type PullDemand,
  priceDemand,
  rateAt,
  refreshesUntil,
  spacingAt,
} from '#shared/polling/value/waiting.ts';

const minuteMs = 60_000;
const gapMs = 30 * minuteMs;
const variances = [0.0001, 0.0004, 0.0016, 0.0064];

const aDemand = (over: Partial<PullDemand> = {}) =>
  priceDemand({
    ...{ naturalMs: gapMs, gapMs, seenAt: 0, endsAt: Number.POSITIVE_INFINITY, weight: 1 },
    ...{ curve: [], perRefresh: 0.01 },
    ...over,
  });
const levelAt = (level: number) =>
  expectedAlerts([{ kind: 'level', distance: Math.log(125 / level), again: 0.06 }], {
    ...{ variances, gapMs, now: 0 },
  });

describe('the turn of a feed', () => {
  it('is as the README says: 6.5 hours for a near level, 10 hours for a far one', () => {
    const near = aDemand({ curve: levelAt(120) });
    const far = aDemand({ curve: levelAt(90) });
    const hours = [near, far].map((demand) => spacingAt(demand, { pullPrice: 60 }) / 3_600_000);
    expect(hours.map((each) => Math.round(each * 10) / 10)).toEqual([6.5, 9.9]);
  });

  it('at a constant rate is the square root of twice the price over the rate', () => {
    expect(refreshesUntil(aDemand(), 60)).toBeCloseTo(Math.sqrt((2 * 60) / (0.01 * 30)), 0);
  });

  it('is natural while the budget covers all, and never later than the longest wait', () => {
    expect(spacingAt(aDemand(), { pullPrice: 0 })).toBe(0);
    expect(spacingAt(aDemand(), { pullPrice: 60, longestMs: 3 * gapMs })).toBe(3 * gapMs);
  });

  it('after the event begins costs nothing', () => {
    expect(rateAt(aDemand({ endsAt: 5 * gapMs }), { pullPrice: 60 })).toBe(0);
  });
});

const fleets = fc.array(
  fc.record({
    gapMinutes: fc.integer({ min: 5, max: 1_440 }),
    perRefresh: fc.double({ min: 0.01, max: 5, noNaN: true }),
    curve: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 }),
    weight: fc.double({ min: 0.1, max: 4, noNaN: true }),
  }),
  { minLength: 1, maxLength: 40 },
);

it('the price spends what may be spent, no more and hardly less', () => {
  fc.assert(
    fc.property(fleets, fc.double({ min: 0.02, max: 0.9, noNaN: true }), (fleet, share) => {
      const demands = fleet.map(({ gapMinutes, curve, ...rest }) => {
        const own = { gapMs: gapMinutes * minuteMs, naturalMs: gapMinutes * minuteMs };
        return aDemand({ ...own, ...rest, curve: curve.toSorted((a, b) => a - b) });
      });
      const spent = (pullPrice: number) =>
        demands.reduce((sum, demand) => sum + rateAt(demand, { pullPrice }), 0);
      const allowed = spent(0) * share;
      const { pullPrice } = findPrice(demands, allowed);
      expect(pullPrice).toBeGreaterThan(0);
      expect(spent(pullPrice)).toBeLessThanOrEqual(allowed);
      expect(spent(pullPrice / 1.01)).toBeGreaterThanOrEqual(allowed * 0.999);
    }),
  );
});
