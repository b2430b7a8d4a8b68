import { describe, expect, it } from 'vitest';
import { newBudget } from '#shared/polling/budget.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { budgetForecastPercent, pollLagMs } from '#shared/polling/vital-signs.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const caps = { daily: 1_000, monthly: 10_000 };

function feedsDue(...times: (number | undefined)[]): Feed[] {
  return times.map((nextPollAt) => ({ nextPollAt }) as Feed);
}

function spent(daySpent: number, periodSpent: number) {
  return { ...newBudget(now), daySpent, periodSpent };
}

describe('the poll lag', () => {
  it.each([
    ['nothing is active', [], 0],
    ['every feed is to be polled later', [now + 1, now + 60_000], 0],
    ['a feed has no time', [undefined], 0],
    ['several wait: the longest', [now - 1_000, now - 90_000, now + 5], 90_000],
  ])('when %s', (_, times, expected) => {
    expect(pollLagMs(feedsDue(...times), now)).toBe(expected);
  });
});

describe('the budget forecast', () => {
  it.each([
    ['nothing is spent', 0, 0, 0],
    // Half a day gone, half a cap spent.
    ['the day keeps pace', 500, 500, 100],
    ['the day overspends', 800, 800, 160],
    // 15.5 of November's 30 days gone.
    ['the month keeps pace', 0, 5_167, 100],
    ['the month overspends while the day rests', 0, 7_750, 150],
  ])('when %s', (_, day, period, expected) => {
    expect(budgetForecastPercent(spent(day, period), caps, now)).toBe(expected);
  });

  it('takes the first minutes of a day for no trend', () => {
    const morning = Date.parse('2026-11-16T00:10:00Z');
    const budget = { ...newBudget(morning), daySpent: 50, periodSpent: 50 };
    expect(budgetForecastPercent(budget, caps, morning)).toBe(25);
  });

  it('is 0 of a cap of 0', () => {
    expect(budgetForecastPercent(spent(0, 0), { daily: 0, monthly: 0 }, now)).toBe(0);
  });
});
