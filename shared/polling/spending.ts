// How fast pulls may be spent so that the caps last. Pure.
import type { Budget, Caps } from './budget.ts';

const dayMs = 86_400_000;

/** What may be spent from now on. */
export interface SpendingPlan {
  /** Pulls per millisecond. */
  pullsPerMs: number;
  /** No pull before this time, epoch milliseconds: a cap is used up until then. */
  notBefore: number;
}

/**
 * The plan that spends what is left of the day and of the period evenly. Once a cap is used up, the plan is that
 * of the next day or period, so that each feed already has its own turn after midnight.
 */
export function planSpending(budget: Budget, caps: Caps, now: number): SpendingPlan {
  const { periodStart, periodEnd } = budget;
  const dayEnd = endOfDay(budget);
  const dayLeft = caps.daily - budget.dayCommitted;
  const periodLeft = caps.monthly - budget.periodCommitted;
  const perDay = caps.daily / dayMs;
  if (periodLeft < 1) {
    const perPeriod = caps.monthly / Math.max(periodEnd - periodStart, dayMs);
    return { pullsPerMs: Math.min(perDay, perPeriod), notBefore: periodEnd };
  }
  const periodRate = periodLeft / Math.max(periodEnd - now, dayMs);
  if (dayLeft < 1) return { pullsPerMs: Math.min(perDay, periodRate), notBefore: dayEnd };
  // Within the last quarter of an hour a pull that is left would look like a high rate.
  const leftMs = Math.max(dayEnd - now, dayMs / 96);
  // What the later days of the period can't spend under their own caps is for today.
  const onlyToday = periodLeft - perDay * Math.max(0, periodEnd - dayEnd);
  const today = Math.min(dayLeft, Math.max(periodRate * leftMs, onlyToday));
  return { pullsPerMs: today / leftMs, notBefore: now };
}

/** The end of the budget's day, epoch milliseconds. */
export function endOfDay({ dayStart }: Pick<Budget, 'dayStart'>): number {
  return dayStart + dayMs;
}
