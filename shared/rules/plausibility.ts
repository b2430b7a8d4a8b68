/**
 * Which prices are believed at sight. A price that jumps more than ten times over waits for the next
 * snapshot, because one mis-keyed listing is the floor for one snapshot (facts.md; practices.md 35).
 */

const JUMP_FACTOR = 10;

/** Whether going from one price to the other is beyond belief without a second sighting. */
export function isJump(fromCents: number, toCents: number): boolean {
  return fromCents > toCents * JUMP_FACTOR || toCents > fromCents * JUMP_FACTOR;
}
