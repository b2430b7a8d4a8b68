/**
 * The units of a rule's numbers as types, so that TypeScript refuses to mix them. At run time each is a plain
 * integer. Converts from the rule language; compares nothing.
 */

declare const unit: unique symbol;
type Unitized<Name extends string> = number & { readonly [unit]: Name };

/** Money: integer cents. */
export type Cents = Unitized<'cents'>;
/** A number of listings, or of zones with a price (0 or 1). */
export type Count = Unitized<'count'>;
/** A rate, or the distance between two rates: hundredths of a percentage point. 15 % is 1,500. */
export type Rate = Unitized<'rate'>;
/** A part of another number, in basis points: 3 % of a price is 300. Never a distance by itself. */
export type Bps = Unitized<'bps'>;

/** What a level, and a distance from a level, can be measured in. */
export type Quantity = Cents | Count | Rate;

/** An integer number of cents. */
export function cents(integer: number): Cents {
  return integer as Cents;
}

export function count(integer: number): Count {
  return integer as Count;
}

/**
 * A price from the feed or a rule, in whole cents. The feed's doubles have rounding errors, so 49.999999998
 * and 50.000000002 are both 5000.
 */
export function centsOf(dollars: number): Cents {
  return Math.round(dollars * 100) as Cents;
}

/**
 * The largest value: a thousand million dollars in cents; a larger number is an error. Changes of numbers up
 * to this, in basis points, are still integers that a double and a table can store.
 */
export const MOST = 100_000_000_000;

/** Whether a number can be a price in cents. */
export function isPrice(number: unknown): number is Cents {
  return Number.isInteger(number) && Number(number) > 0 && Number(number) <= MOST;
}

/** Percent as a part of another number. */
export function bpsOf(percent: number): Bps {
  return Math.round(percent * 100) as Bps;
}

/** Percentage points: the level or distance of a rate or of a change in percent. */
export function rateOf(points: number): Rate {
  return Math.round(points * 100) as Rate;
}
