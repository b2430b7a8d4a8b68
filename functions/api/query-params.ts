// Query parameters that are numbers, times or flags: sent as text, parsed strictly, and described in
// the document by their real type.

import * as z from 'zod';
import { groupThousands } from '#shared/rules/words/words.ts';

/** A whole number within bounds, in plain digits. */
export function wholeNumberParam(least: number, most: number) {
  const words = `must be a whole number from ${groupThousands(least)} to ${groupThousands(most)}`;
  return z
    .string()
    .transform((text, context) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= least && value <= most) return value;
      context.issues.push({ code: 'custom', message: words, input: text });
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: least, maximum: most });
}

/** An event's id in a path or a query. */
export const eventIdParam = wholeNumberParam(1, Number.MAX_SAFE_INTEGER);

/** A moment in ISO 8601 with its offset; parsed to epoch milliseconds. */
export const timeParam = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-03-01T12:00:00Z' })
  .transform((text) => Date.parse(text));

export const flagParam = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ type: 'boolean', enum: undefined });

/** A date, YYYY-MM-DD. */
export const dateParam = z.iso.date({ error: 'must be a date such as 2026-03-01' });
