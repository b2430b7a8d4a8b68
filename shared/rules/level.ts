/** Integer arithmetic of levels: a step away from a number. Compares nothing. */
import { WHOLE_BPS } from './money.ts';
import type { Direction, LevelStep } from './trigger.ts';

/**
 * The nearest number at least the step away, and never the number itself: 10 % under 101 is 90; a step
 * under 0 is -1, which no price or count reaches.
 */
export function stepFrom(from: number, direction: Direction, step: LevelStep): number {
  return direction === 'down' ? stepDown(from, step) : stepUp(from, step);
}

function stepDown(from: number, { bps, amount }: LevelStep): number {
  const byPart = bps === null ? from : Math.floor((from * (WHOLE_BPS - bps)) / WHOLE_BPS);
  return Math.min(byPart, from - (amount ?? 0), from - 1);
}

function stepUp(from: number, { bps, amount }: LevelStep): number {
  const byPart = bps === null ? from : Math.ceil((from * (WHOLE_BPS + bps)) / WHOLE_BPS);
  return Math.max(byPart, from + (amount ?? 0), from + 1);
}

/** The rearm level of a trigger: a margin back from its level, rounded away from it. */
export function rearmFrom(level: number, direction: Direction, margin: LevelStep): number {
  return stepFrom(level, direction === 'down' ? 'up' : 'down', margin);
}
