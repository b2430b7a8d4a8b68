/** Integer arithmetic of levels: a step away from a number, and which levels a number can reach. */
import { MAX_COUNT, MAX_PRICE } from './language/rule-limits.ts';
import type { Unit } from './metric.ts';
import { WHOLE_BPS } from './money.ts';
import type { Direction, LevelStep } from './trigger.ts';
import type { Quantity } from './units.ts';

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

/** The rearm level of a trigger: a margin back from its level, rounded away from it. Both have one unit. */
export function rearmFrom<Level extends Quantity>(
  level: Level,
  direction: Direction,
  margin: LevelStep<Level>,
): number {
  return stepFrom(level, opposite(direction), margin);
}

export function opposite(direction: Direction): Direction {
  return direction === 'down' ? 'up' : 'down';
}

/** The least and the most that a number of a snapshot can be: a price of 0 is no value. */
const bounds: Record<Unit, { least: number; most: number }> = {
  price: { least: 1, most: MAX_PRICE * 100 },
  count: { least: 0, most: MAX_COUNT },
  rate: { least: 0, most: WHOLE_BPS },
};

/** Whether a number of this unit can be at the level. */
export function isWithinBounds(level: number, unit: Unit): boolean {
  return level >= bounds[unit].least && level <= bounds[unit].most;
}

/** The rearm level, or the bound of the unit where the rearm level is beyond it. */
export function reachableRearm(
  rearmLevel: number,
  { level, direction, unit }: { level: number; direction: Direction; unit: Unit },
): number {
  const { least, most } = bounds[unit];
  if (direction === 'down') return rearmLevel > most && most > level ? most : rearmLevel;
  return rearmLevel < least && least < level ? least : rearmLevel;
}
