/**
 * Money as integer cents: parsing, adding a fee, printing. One currency with two decimals; compares nothing.
 */
import { groupThousands } from './words/words.ts';

/** Parts of a whole in basis points: 100 % is 10,000. */
export const WHOLE_BPS = 10_000;

/**
 * A price from the feed, in whole cents. The feed's doubles have rounding errors, so 49.999999998 and
 * 50.000000002 are both 5000.
 */
export function centsOf(price: number): number {
  return Math.round(price * 100);
}

/** The price plus a fee of `feeBps`, in cents, with half a cent rounded up. */
export function withFeeCents(cents: number, feeBps: number): number {
  return Math.floor((cents * (WHOLE_BPS + feeBps) + WHOLE_BPS / 2) / WHOLE_BPS);
}

/** The highest price that, with the fee, is still at or below `cents`. */
export function dearestWithin(cents: number, feeBps: number): number {
  let price = Math.floor((cents * WHOLE_BPS) / (WHOLE_BPS + feeBps)) + 1;
  while (withFeeCents(price, feeBps) > cents) price -= 1;
  return price;
}

/** The lowest price that, with the fee, is at or above `cents`. */
export function cheapestReaching(cents: number, feeBps: number): number {
  return dearestWithin(cents - 1, feeBps) + 1;
}

/** `$1,234.50`; always two decimals. */
export function formatCents(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  const whole = groupThousands(Math.trunc(Math.abs(cents) / 100));
  return `${sign}$${whole}.${(Math.abs(cents) % 100).toString().padStart(2, '0')}`;
}
