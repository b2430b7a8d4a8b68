// How fast pulls may be spent.
import { describe, expect, it } from 'vitest';
import { type Budget, newBudget } from '#shared/polling/budget.ts';
import { planSpending } from '#shared/polling/spending.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-03-10T12:00:00Z');
const midnight = Date.parse('2026-03-11T00:00:00Z');
const caps = { daily: 100, monthly: 2_000 };
const spent = (over: Partial<Budget> = {}): Budget => ({ ...newBudget(now), ...over });

describe('the plan of spending', () => {
  it('spreads what is left over the time that is left, under both caps', () => {
    const roomy = { daily: 100, monthly: 100_000 };
    const half = planSpending(spent({ dayCommitted: 50 }), roomy, now);
    expect(half.pullsPerMs * dayMs).toBeCloseTo(100, 6);
    const month = spent({ periodCommitted: 1_785.5 });
    expect(planSpending(month, caps, now).pullsPerMs * dayMs).toBeCloseTo(9.976744, 4);
  });

  it('spends today what the later days of the period can’t', () => {
    const even = { daily: 100, monthly: 3_100 };
    const unspent = planSpending(spent({ periodCommitted: 900 }), even, now);
    expect(unspent.pullsPerMs * dayMs).toBeCloseTo(200, 6);
  });

  it('is that of tomorrow once the day’s cap is used up', () => {
    const used = planSpending(spent({ dayCommitted: 100, periodCommitted: 100 }), caps, now);
    expect(used.notBefore).toBe(midnight);
    expect(used.pullsPerMs * dayMs).toBeCloseTo(1_900 / 21.5, 6);
  });

  it('is that of the next period once the period’s cap is used up', () => {
    const used = planSpending(spent({ periodCommitted: 2_000 }), caps, now);
    expect(used.notBefore).toBe(Date.parse('2026-04-01T00:00:00Z'));
    expect(used.pullsPerMs * dayMs).toBeCloseTo(2_000 / 31, 6);
  });
});
