// The pull budget: the daily and monthly caps, the spent pulls, and the pulls reserved for running calls.
// Every call must be reserved first, so the budget fails closed.
import { dayStartOf } from '#shared/moment.ts';
import type { FleetLearning } from './value/learned.ts';

/** The most pulls in a UTC day, and in the marketplace's billing period. */
export interface Caps {
  daily: number;
  monthly: number;
}

/**
 * The single item that all callers share. Numbers are pulls, times epoch milliseconds; `…Committed` is spent
 * plus reserved.
 */
export interface Budget {
  id: string;
  dayStart: number;
  daySpent: number;
  dayCommitted: number;
  periodStart: number;
  periodEnd: number;
  periodSpent: number;
  periodCommitted: number;
  /** Reserved pulls, by a key that ends with the expiry time (epoch ms) of the reservation. */
  reservations: Record<string, number>;
  /** What a pull must relieve, in minutes of waiting (README.md); 0 while the demand fits. */
  pullPrice: number;
  /** No feed waits longer for its turn, in milliseconds; absent before reconcile's first run. */
  longestMs?: number | undefined;
  /** What the fleet has learned about prices and alerts; absent before reconcile's first run. */
  learned?: FleetLearning | undefined;
  /** When the last call was sent whose answer is known; absent until there was one. */
  lastAnswerAt?: number | undefined;
  /** Grows with every write. Replacing the whole budget is conditional on the value that was read. */
  moves: number;
}

export interface Period {
  /** Epoch milliseconds, inclusive. */
  start: number;
  /** Epoch milliseconds, exclusive. */
  end: number;
}

/** The calendar month of a time; used until the marketplace's own period is known. */
export function calendarMonth(now: number): Period {
  const at = new Date(now);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
}

/** A budget without any pulls spent. */
export function newBudget(now: number, period: Period = calendarMonth(now)): Budget {
  return {
    id: 'pulls',
    dayStart: dayStartOf(now),
    daySpent: 0,
    dayCommitted: 0,
    periodStart: period.start,
    periodEnd: period.end,
    periodSpent: 0,
    periodCommitted: 0,
    reservations: {},
    pullPrice: 0,
    moves: 0,
  };
}

/** Pulls that may still be reserved, never below 0. */
export function pullsLeft(budget: Budget, caps: Caps): number {
  const left = Math.min(caps.daily - budget.dayCommitted, caps.monthly - budget.periodCommitted);
  return Math.max(0, Math.floor(left));
}

/** The key of a reservation that expires at `until`; plain characters, because it names an attribute. */
export function reservationKey(until: number, holder: string): string {
  return `${holder}_until_${until}`;
}

function lapsesAt(key: string): number {
  return Number(key.slice(key.lastIndexOf('_') + 1));
}

/** Whether a new day or period has begun, or a reservation has expired. */
export function needsTurning(budget: Budget, now: number): boolean {
  return (
    dayStartOf(now) > budget.dayStart ||
    now >= budget.periodEnd ||
    Object.keys(budget.reservations).some((key) => lapsesAt(key) <= now)
  );
}

/**
 * The budget after a new day or period began and expired reservations were returned. Live reservations stay
 * over midnight: their calls count in the new day.
 */
export function turnBudget(budget: Budget, now: number): Budget {
  const live = Object.entries(budget.reservations).filter(([key]) => lapsesAt(key) > now);
  const reserved = live.reduce((sum, [, pulls]) => sum + pulls, 0);
  const isNewDay = dayStartOf(now) > budget.dayStart;
  const isNewPeriod = now >= budget.periodEnd;
  const daySpent = isNewDay ? 0 : budget.daySpent;
  const periodSpent = isNewPeriod ? 0 : budget.periodSpent;
  const period = isNewPeriod
    ? nextPeriod(budget, now)
    : { start: budget.periodStart, end: budget.periodEnd };
  return {
    ...budget,
    dayStart: Math.max(budget.dayStart, dayStartOf(now)),
    daySpent,
    dayCommitted: daySpent + reserved,
    periodStart: period.start,
    periodEnd: period.end,
    periodSpent,
    periodCommitted: periodSpent + reserved,
    reservations: Object.fromEntries(live),
  };
}

/** Assumes that the new period is a month from the end of the old one, until the marketplace gives it. */
function nextPeriod(budget: Budget, now: number): Period {
  let { periodStart: start, periodEnd: end } = budget;
  while (end <= now) {
    start = end;
    const at = new Date(end);
    end = Date.UTC(
      at.getUTCFullYear(),
      at.getUTCMonth() + 1,
      Math.min(at.getUTCDate(), 28),
      at.getUTCHours(),
      at.getUTCMinutes(),
    );
  }
  return { start, end };
}

/** The shares of a cap at which the operator gets a notice. */
export const noticedShares = [50, 80, 100] as const;
export type NoticedShare = (typeof noticedShares)[number];

/** The highest of these shares that is spent, in percent; undefined below the first. */
export function shareReached(spent: number, cap: number): NoticedShare | undefined {
  return noticedShares.findLast((percent) => spent * 100 >= cap * percent);
}
