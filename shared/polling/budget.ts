// The pull budget: caps by day and by billing period, what is spent and what is reserved for calls
// under way. Reserve, call, settle: nothing may be called that was not reserved, so it fails closed.

/** Pulls that may be spent in a UTC day, and in the marketplace's billing period. */
export interface Caps {
  daily: number;
  monthly: number;
}

/**
 * The one item that every spender reads. Numbers are pulls, times epoch milliseconds; `…Committed` is
 * spent plus reserved.
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
  /** Pulls still reserved, by a key that ends with the time (epoch ms) at which the reservation lapses. */
  reservations: Record<string, number>;
  /** The fleet's stretch (pacing.ts), in milliseconds; 0 while the demand fits. */
  stretchMs: number;
  /** Grows with every write, so that a whole budget is only written over the one it was made from. */
  moves: number;
}

export interface Period {
  /** Epoch milliseconds, inclusive. */
  start: number;
  /** Epoch milliseconds, exclusive. */
  end: number;
}

const dayMs = 86_400_000;

/** UTC midnight at or before a time. */
export function dayStartOf(now: number): number {
  return Math.floor(now / dayMs) * dayMs;
}

/** The calendar month of a time, for as long as the marketplace's own period is not known. */
export function calendarMonth(now: number): Period {
  const at = new Date(now);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
}

/** A budget of which nothing is spent. */
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
    stretchMs: 0,
    moves: 0,
  };
}

/** Pulls that may still be reserved, never below 0. */
export function pullsLeft(budget: Budget, caps: Caps): number {
  const left = Math.min(caps.daily - budget.dayCommitted, caps.monthly - budget.periodCommitted);
  return Math.max(0, Math.floor(left));
}

/** The key of a reservation that lapses at `until`; a plain word, as it names an attribute. */
export function reservationKey(until: number, holder: string): string {
  return `${holder}_until_${until}`;
}

function lapsesAt(key: string): number {
  return Number(key.slice(key.lastIndexOf('_') + 1));
}

/** Whether the day or the period has turned, or a reservation has lapsed. */
export function needsTurning(budget: Budget, now: number): boolean {
  return (
    dayStartOf(now) > budget.dayStart ||
    now >= budget.periodEnd ||
    Object.keys(budget.reservations).some((key) => lapsesAt(key) <= now)
  );
}

/**
 * The budget with a new day or period begun and lapsed reservations given back. A reservation
 * outlives midnight: what it buys is settled in the new day.
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

/** Until the marketplace tells the new period, it is taken to be a month from the end of the old. */
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

/**
 * Pulls a millisecond that may be spent from now on, so that neither cap is reached before its time.
 */
export function affordableRate(budget: Budget, caps: Caps, now: number): number {
  const dayLeft = caps.daily - budget.dayCommitted;
  const dayEnd = budget.dayStart + dayMs;
  const periodLeft = caps.monthly - budget.periodCommitted;
  return Math.max(
    0,
    Math.min(
      // A day's last minutes may spend what is left, not many times the usual rate.
      dayLeft / Math.max(dayEnd - now, dayMs / 24),
      periodLeft / Math.max(budget.periodEnd - now, dayMs),
    ),
  );
}

/** The shares of a cap at which the operator is told. */
export const noticedShares = [50, 80, 100] as const;
export type NoticedShare = (typeof noticedShares)[number];

/** The highest share of the cap that is spent, in percent, if it is one to tell of. */
export function shareReached(spent: number, cap: number): NoticedShare | undefined {
  return noticedShares.findLast((percent) => spent * 100 >= cap * percent);
}
