/** Billing cycles: a calendar month each, from the account's anchor. Pure. */

const dayMs = 24 * 60 * 60 * 1000;

export interface BillingPeriod {
  /** Epoch milliseconds, inclusive. */
  start: number;
  /** Epoch milliseconds, exclusive: the next renewal. */
  end: number;
}

/**
 * The cycle that contains `now`. Without an anchor (accounts older than cycle tracking), the last
 * 30 days (api.md, Usage).
 */
export function billingPeriodAt(anchor: number | null, now: number): BillingPeriod {
  if (anchor === null) return { start: now - 30 * dayMs, end: now };
  const first = new Date(anchor);
  const at = new Date(now);
  const months =
    (at.getUTCFullYear() - first.getUTCFullYear()) * 12 + at.getUTCMonth() - first.getUTCMonth();
  const start = addMonths(first, months);
  if (start <= now) return { start, end: addMonths(first, months + 1) };
  return { start: addMonths(first, months - 1), end: start };
}

/** In a month without the anchor's day, the cycle renews on the month's last day. */
function addMonths(from: Date, months: number): number {
  const year = from.getUTCFullYear();
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const moved = new Date(from);
  moved.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay));
  return moved.getTime();
}
