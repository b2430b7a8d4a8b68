/**
 * The limits of rules. Apart from the schemas, because a function that only compiles stored rules starts faster
 * without them.
 */

/** Dollars. */
export const MAX_PRICE = 10_000_000;
export const MAX_COUNT = 1_000_000;
export const MAX_CONDITION_LEAVES = 10;
export const DEFAULT_ANY_CHANGE_PER_DAY = 10;
