/**
 * Decides which prices are believed at once. A price that jumps by more than ten times waits for the next
 * snapshot, because one mis-keyed listing can be the get-in for one snapshot (facts.md; practices.md 35).
 */

const JUMP_FACTOR = 10;

/** Whether the step from one price to the other needs confirmation. */
export function isJump(fromCents: number, toCents: number): boolean {
  return fromCents > toCents * JUMP_FACTOR || toCents > fromCents * JUMP_FACTOR;
}

/**
 * Whether a price is at most half of the next one. README.md has the figures for this threshold ("One listing
 * far under the rest").
 */
export function isFarUnder(cents: number, nextCents: number): boolean {
  return cents * 2 <= nextCents;
}
