/**
 * The level that a rule puts on a number itself, in the number's unit. Knows the rules with one level; makes
 * no triggers.
 */
import { cheapestReaching, dearestWithin } from '../money.ts';
import type { Direction } from '../trigger.ts';
import {
  bpsOf,
  type Cents,
  type Count,
  cents,
  centsOf,
  count,
  type Rate,
  rateOf,
} from '../units.ts';
import type { FillRateRule, LevelRule, SupplyRule } from './rule.ts';

/** A side of a level. */
export interface Side<Level> {
  direction: Direction;
  level: Level;
}

interface Sides {
  at_or_below?: number | undefined;
  at_or_above?: number | undefined;
}

/** The side that a rule or condition names; `toUnit` converts its amount. */
export function sideOf<Level>(
  { at_or_below, at_or_above }: Sides,
  toUnit: (amount: number) => Level,
): Side<Level> {
  if (at_or_below !== undefined) return { direction: 'down', level: toUnit(at_or_below) };
  return { direction: 'up', level: toUnit(at_or_above ?? 0) };
}

/** The price without the fee at which the price with the fee is at the level. */
export function priceSide(rule: LevelRule): Side<Cents> {
  const feeBps = bpsOf(rule.fee_percent ?? 0);
  const { direction, level } = askedPriceSide(rule);
  const price =
    direction === 'down' ? dearestWithin(level, feeBps) : cheapestReaching(level, feeBps);
  return { direction, level: price };
}

/** "Below 80" is at or below 79.99. */
function askedPriceSide(rule: LevelRule): Side<Cents> {
  if (rule.below !== undefined) {
    return { direction: 'down', level: cents(centsOf(rule.below) - 1) };
  }
  if (rule.above !== undefined) return { direction: 'up', level: cents(centsOf(rule.above) + 1) };
  return sideOf(rule, centsOf);
}

export function countSide(rule: SupplyRule): Side<Count> {
  return sideOf(rule, count);
}

export function rateSide(rule: FillRateRule): Side<Rate> {
  return sideOf(rule, rateOf);
}
