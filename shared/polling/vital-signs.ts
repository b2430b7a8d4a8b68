// Two figures that tell whether polling keeps its promise: how long feeds wait, and whether the budget
// lasts. It decides nothing; alarms are set on them.
import type { Budget, Caps } from './budget.ts';
import type { Feed } from './feed.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Milliseconds that the longest-waiting feed is past its time; a feed being polled doesn't wait. */
export function pollLagMs(active: readonly Feed[], now: number): number {
  const due = active.map(({ nextPollAt }) => nextPollAt ?? now);
  return due.reduce((longest, at) => Math.max(longest, now - at), 0);
}

/**
 * Percent of the cap that will be spent by the end of the day or of the billing period, whichever is
 * worse, if spending goes on as it did since it began. A beginning says little: the day's rate is taken
 * over six hours at the least, the period's over a day. A cap of 0 can't be overspent.
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
