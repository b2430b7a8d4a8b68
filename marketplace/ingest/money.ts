/** Converts between currency units, which the API uses, and integer cents, which the store uses. */

/** Integer cents of a price with at most two decimals. */
export function toCents(price: number): number {
  return Math.round(price * 100);
}

/** Currency units of integer cents. */
export function fromCents(cents: number): number {
  return cents / 100;
}
