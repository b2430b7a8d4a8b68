// Two figures for alarms: how long feeds wait past their time, and whether the budget lasts. Decides nothing.
import type { Budget, Caps } from './budget.ts';
import type { Feed } from './feed.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How far the most overdue feed is past its time, in milliseconds; a feed being polled doesn't count. */
export function pollLagMs(active: readonly Feed[], now: number): number {
  const due = active.map(({ nextPollAt }) => nextPollAt ?? now);
  return due.reduce((longest, at) => Math.max(longest, now - at), 0);
}

/**
 * The percent of the cap that will be spent by the end of the day or of the billing period, whichever is
 * higher, if spending continues at its rate so far. The first hours say little, so the day's rate is
 * averaged over at least six hours, the period's over at least a day. A cap of 0 counts as 0 percent.
 */
export function budgetForecastPercent(budget: Budget, caps: Caps, now: number): number {
  const { dayStart, daySpent, periodStart, periodEnd, periodSpent } = budget;
  const day = { spent: daySpent, start: dayStart, end: dayStart + dayMs, leastMs: 6 * hourMs };
  const period = { spent: periodSpent, start: periodStart, end: periodEnd, leastMs: dayMs };
  const percents = [
    percentOf(forecast(day, now), caps.daily),
    percentOf(forecast(period, now), caps.monthly),
  ];
  return Math.round(Math.max(...percents));
}

interface Span {
  spent: number;
  start: number;
  end: number;
  leastMs: number;
}

function forecast({ spent, start, end, leastMs }: Span, now: number): number {
  const elapsedMs = Math.max(now - start, leastMs);
  return spent + (spent / elapsedMs) * Math.max(0, end - now);
}

function percentOf(pulls: number, cap: number): number {
  return cap === 0 ? 0 : (100 * pulls) / cap;
}
