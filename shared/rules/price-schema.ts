/**
 * Prices as people write them in a rule: JSON numbers or plain decimal strings, in dollars, at most
 * two decimals. Refuses whatever could be read two ways.
 */
import * as z from 'zod';

export const MAX_PRICE = 10_000_000;

/** A double's own noise (0.1 + 0.2), far below any third decimal that a person could mean. */
const NOISE = 4 * Number.EPSILON;

const plainDecimal = z
  .string()
  .regex(/^\d{1,9}(\.\d+)?$/)
  .transform(Number);

/** A price in dollars, above 0; parsed to the nearest cent, so that 499.990 is 499.99. */
export const priceSchema = z
  .union([z.number(), plainDecimal], {
    error: 'must be a price in dollars such as 79.5: a number, or digits with an optional point',
  })
  .check((context) => {
    const fault = priceFault(context.value);
    if (fault) context.issues.push({ code: 'custom', message: fault, input: context.value });
  })
  .transform(roundToCents)
  .meta({ description: 'Dollars, at most two decimals', examples: [80, 79.5] });

function roundToCents(price: number): number {
  return Math.round(price * 100) / 100;
}

function priceFault(price: number): string | undefined {
  if (price <= 0) return 'must be above 0: no ticket costs nothing, so this would never be reached';
  if (price > MAX_PRICE) return `must be at most ${MAX_PRICE.toLocaleString('en-US')}`;
  if (Math.abs(price - roundToCents(price)) <= NOISE * price) return undefined;
  return 'must have at most two decimals';
}
