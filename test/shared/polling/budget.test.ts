import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Budget,
  calendarMonth,
  needsTurning,
  newBudget,
  pullsLeft,
  reservationKey,
  shareReached,
  turnBudget,
} from '#shared/polling/budget.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-03-10T12:00:00Z');
const caps = { daily: 100, monthly: 2_000 };

const spent = (over: Partial<Budget> = {}): Budget => ({ ...newBudget(now), ...over });

describe('pulls left', () => {
  it.each([
    [{ dayCommitted: 40, periodCommitted: 40 }, 60],
    [{ dayCommitted: 10, periodCommitted: 1_995 }, 5],
    [{ dayCommitted: 100, periodCommitted: 100 }, 0],
    [{ dayCommitted: 120, periodCommitted: 120 }, 0],
  ])('of %o are %d: the tighter cap counts, never below none', (over, left) => {
    expect(pullsLeft(spent(over), caps)).toBe(left);
  });
});

describe('a turn', () => {
  it('gives lapsed reservations back and keeps live ones', () => {
    const budget = spent({
      ...{ daySpent: 3, dayCommitted: 10, periodSpent: 3, periodCommitted: 10 },
      reservations: {
        [reservationKey(now - 1, 'stats')]: 5,
        [reservationKey(now + 1, 'listings')]: 2,
      },
    });

    expect(needsTurning(budget, now)).toBe(true);
    expect(turnBudget(budget, now)).toMatchObject({ dayCommitted: 5, periodCommitted: 5 });
    expect(needsTurning(turnBudget(budget, now), now)).toBe(false);
  });

  it('at midnight begins the day anew and goes on with the period', () => {
    const budget = spent({
      daySpent: 90,
      dayCommitted: 90,
      periodSpent: 500,
      periodCommitted: 500,
    });
    const turned = turnBudget(budget, now + dayMs);

    expect(turned).toMatchObject({ daySpent: 0, dayCommitted: 0, periodSpent: 500 });
    expect(turned.dayStart).toBe(Date.parse('2026-03-11T00:00:00Z'));
  });

  it('at the period’s end begins the next, a month long', () => {
    const budget = spent({ periodSpent: 1_999, periodCommitted: 1_999 });
    const turned = turnBudget(budget, Date.parse('2026-04-01T00:00:00Z'));

    expect(turned).toMatchObject({ periodSpent: 0, periodCommitted: 0 });
    expect(turned.periodStart).toBe(Date.parse('2026-04-01T00:00:00Z'));
    expect(turned.periodEnd).toBe(Date.parse('2026-05-01T00:00:00Z'));
  });

  it('changes nothing a second time, whenever it comes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * 24 }), (hours) => {
        const at = now + hours * 3_600_000;
        const turned = turnBudget(spent({ daySpent: 5, periodSpent: 7 }), at);
        expect(turnBudget(turned, at)).toEqual(turned);
        expect(turned.periodStart).toBeLessThanOrEqual(at);
        expect(turned.periodEnd).toBeGreaterThan(at);
      }),
    );
  });
});

describe('notices', () => {
  it.each([
    [49, undefined],
    [50, 50],
    [79, 50],
    [80, 80],
    [100, 100],
    [130, 100],
  ])('%d of 100 spent tells of %s%%', (pulls, share) => {
    expect(shareReached(pulls, 100)).toBe(share);
  });
});

it('a calendar month holds every time of it', () => {
  expect(calendarMonth(now)).toEqual({
    start: Date.parse('2026-03-01T00:00:00Z'),
    end: Date.parse('2026-04-01T00:00:00Z'),
  });
});
