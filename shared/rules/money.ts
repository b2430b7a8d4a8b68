/**
 * Money as integer cents: adding a fee, printing. One currency with two decimals; compares nothing.
 */
import { type Bps, type Cents, type Count, cents as inCents, type Rate } from './units.ts';
import { groupThousands } from './words/words.ts';

/** Parts of a whole in basis points: 100 % is 10,000. */
export const WHOLE_BPS = 10_000;

/** The price plus a fee of `feeBps`, in cents, with half a cent rounded up. */
export function withFeeCents(cents: number, feeBps: number): number {
  return Math.floor((cents * (WHOLE_BPS + feeBps) + WHOLE_BPS / 2) / WHOLE_BPS);
}

/** The price plus `percent` of it (two decimals count), in cents, with half a cent rounded up. */
export function changedByPercent(cents: number, percent: number): number {
  const bps = WHOLE_BPS + Math.round(percent * 100);
  return Math.round((cents * bps) / WHOLE_BPS);
}

/** The highest price that, with the fee, is still at or below `cents`. */
export function dearestWithin(cents: Cents, feeBps: Bps): Cents {
  let price = Math.floor((cents * WHOLE_BPS) / (WHOLE_BPS + feeBps)) + 1;
  while (withFeeCents(price, feeBps) > cents) price -= 1;
  return inCents(price);
}

/** The lowest price that, with the fee, is at or above `cents`. */
export function cheapestReaching(cents: Cents, feeBps: Bps): Cents {
  return inCents(dearestWithin(inCents(cents - 1), feeBps) + 1);
}

/** A number that is not known to have another unit. */
type MaybeCents<Amount> = Amount extends Count | Rate | Bps ? never : Amount;

/** `$1,234.50`, and `$1,234` for whole dollars. */
export function formatCents<Amount extends number>(cents: MaybeCents<Amount>): string {
  const sign = cents < 0 ? '-' : '';
  const whole = groupThousands(Math.trunc(Math.abs(cents) / 100));
  const rest = Math.abs(cents) % 100;
  return `${sign}$${whole}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`;
}
