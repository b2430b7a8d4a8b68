/**
 * The numbers in a rule: prices, percents, counts. Accepts JSON numbers, and for prices plain decimal
 * strings; refuses ambiguous forms.
 */
import * as z from 'zod';
import { groupThousands } from '../words/words.ts';
import { MAX_COUNT, MAX_PRICE } from './rule-limits.ts';

const MAX_RISE_PERCENT = 100_000;

/** The rounding error of doubles (0.1 + 0.2), far below any third decimal that a person may mean. */
const NOISE = 4 * Number.EPSILON;

const plainDecimal = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9})?$/)
  .transform(Number);

/** A price in dollars, above 0; rounded to the cent, so that 499.990 is 499.99. */
export const priceSchema = moneySchema(
  'must be above 0: no price is 0 or less, so this level would never be reached',
).meta({ id: 'Price', description: 'Dollars, at most two decimals', examples: [80, 79.5] });

/** An amount that a price changes by, in dollars, above 0. */
export const priceChangeSchema = moneySchema('must be above 0').meta({
  id: 'PriceChange',
  description: 'Dollars, at most two decimals',
  examples: [20],
});

function moneySchema(whenNotPositive: string) {
  return z
    .union([z.number(), plainDecimal], {
      error:
        'must be an amount in dollars such as 79.5: a number, or digits with an optional point',
    })
    .check(({ value, issues }) => {
      const fault = value > 0 ? sizeFault(value, MAX_PRICE) : whenNotPositive;
      if (fault) issues.push({ code: 'custom', message: fault, input: value });
    })
    .transform(roundToHundredth);
}

function roundToHundredth(amount: number): number {
  return Math.round(amount * 100) / 100;
}

function sizeFault(amount: number, most: number): string | undefined {
  if (amount > most) return `must be at most ${groupThousands(most)}`;
  if (Math.abs(amount - roundToHundredth(amount)) <= NOISE * amount) return undefined;
  return 'must have at most two decimals';
}

interface PercentBounds {
  least: number;
  most: number;
  tooMuch: string;
}

function percentSchema({ least, most, tooMuch }: PercentBounds) {
  return z
    .number({ error: 'must be a percentage such as 15: a number, without the sign' })
    .check(({ value, issues }) => {
      if (value > most) issues.push({ code: 'custom', message: tooMuch, input: value });
      const fault =
        value < least ? `must be at least ${least}` : sizeFault(Math.min(value, most), most);
      if (fault) issues.push({ code: 'custom', message: fault, input: value });
    })
    .transform(roundToHundredth)
    .meta({ description: 'Percent, at most two decimals', minimum: least, maximum: most });
}

/** A fall in percent: above 0, at most 100. */
export const dropPercentSchema = percentSchema({
  least: 0.01,
  most: 100,
  tooMuch: 'must be at most 100: a value can’t fall by more than 100 %',
});

/** A rise in percent: above 0. */
export const risePercentSchema = percentSchema({
  least: 0.01,
  most: MAX_RISE_PERCENT,
  tooMuch: `must be at most ${groupThousands(MAX_RISE_PERCENT)}`,
});

/** A share of something: 0 to 100. */
export const sharePercentSchema = percentSchema({
  least: 0,
  most: 100,
  tooMuch: 'must be at most 100',
});

/**
 * The step between two alerts of one fall or rise: small enough to be reached, large enough to avoid noise.
 */
export const stepPercentSchema = percentSchema({
  least: 0.5,
  most: 50,
  tooMuch: 'must be at most 50',
});

const LEAST_SPAN = 0.01;

/** A number of days or hours with at most two decimals; smaller ones could not be stored exactly. */
function spanSchema(unit: 'days' | 'hours', most: number) {
  return z
    .number({ error: `must be a number of ${unit} such as 7 or 0.5` })
    .check(({ value, issues }) => {
      const fault = value < LEAST_SPAN ? `must be at least ${LEAST_SPAN}` : sizeFault(value, most);
      if (fault) issues.push({ code: 'custom', message: fault, input: value });
    })
    .transform(roundToHundredth);
}

const MOST_DAYS = 730;
const MOST_HOURS = 720;

/** Days before an event; 0.01 days are a quarter of an hour, the shortest that polls can meet. */
export const daysSchema = spanSchema('days', MOST_DAYS).meta({
  description: 'Days, at most two decimals',
  minimum: LEAST_SPAN,
  maximum: MOST_DAYS,
});

/** Hours of history; the longest window but `ever` has 720. */
export const hoursSchema = spanSchema('hours', MOST_HOURS).meta({
  description: 'Hours, at most two decimals',
  minimum: LEAST_SPAN,
  maximum: MOST_HOURS,
});

/** A whole number within bounds. Not `z.int()`, which would hide other faults. */
export function wholeNumberSchema(least: number, most: number, tooLittle?: string) {
  const bounds = `must be a whole number from ${least} to ${groupThousands(most)}`;
  return z
    .number({ error: bounds })
    .check(({ value, issues }) => {
      if (value < least) {
        issues.push({ code: 'custom', message: tooLittle ?? bounds, input: value });
      } else if (value > most || !Number.isInteger(value)) {
        issues.push({ code: 'custom', message: bounds, input: value });
      }
    })
    .meta({ type: 'integer', minimum: least, maximum: most });
}

/** How many listings, from 1. */
export const countSchema = wholeNumberSchema(
  1,
  MAX_COUNT,
  'must be at least 1; to be alerted when none is left, use "becomes": "sold_out"',
);
