/**
 * Parts of several kinds of rules: the metric, the baseline, the size of a change, and checks on
 * combinations of fields.
 */
import * as z from 'zod';
import { priceMetricNames } from '../metric.ts';
import { LONGEST_WINDOW, windowNames } from '../window.ts';
import {
  dropPercentSchema,
  priceChangeSchema,
  risePercentSchema,
  wholeNumberSchema,
} from './amount-schema.ts';
import { parseSeatPattern } from './seat-pattern.ts';

export const zoneSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .meta({ description: 'A zone’s name as the event’s stats spell it', examples: ['Lower Bowl'] });

/** A price metric of the event or of one zone. */
export const priceSubject = {
  metric: z.enum(priceMetricNames),
  zone: zoneSchema.optional(),
  min_quantity: z
    .union([z.literal(1), z.literal(2)], {
      error:
        'must be 1 or 2: stats have prices for one and for two or more tickets; for more use a listing rule',
    })
    .optional()
    .meta({ description: '2 means two or more seats together; only beside metric get_in' }),
};

const WINDOW_ERROR = `must be one of ${windowNames.join(', ')}: the history kept for windows ends at ${LONGEST_WINDOW}`;

export const windowSchema = z
  .enum(windowNames, { error: WINDOW_ERROR })
  .meta({ description: 'Looks back over (now − window, now]' });

export const spanSchema = z
  .enum([...windowNames, 'ever'], {
    error: `${WINDOW_ERROR}; or "ever"`,
  })
  .meta({ description: 'A window, or ever' });

/** A baseline from a window of history. */
const windowBaselineSchema = z
  .strictObject({ of: z.enum(['high', 'low', 'start', 'median']), window: windowSchema })
  .meta({ id: 'WindowBaseline' });

const previousBaselineSchema = z
  .strictObject({ of: z.literal('previous_snapshot') })
  .meta({ id: 'PreviousBaseline' });

/** A baseline that the trigger keeps; it moves only as its name says. */
const fixedBaselineSchema = z
  .strictObject({ of: z.enum(['last_alert', 'watch_start']) })
  .meta({ id: 'KeptBaseline' });

const BASELINE_ERROR =
  'must name what the change is measured from: previous_snapshot, last_alert, watch_start, or the high, low, start or median of a window';

/** The baseline of a change; required. */
export const baselineSchema = z
  .discriminatedUnion('of', [windowBaselineSchema, previousBaselineSchema, fixedBaselineSchema], {
    error: BASELINE_ERROR,
  })
  .meta({ id: 'Baseline', examples: [{ of: 'high', window: '24h' }, { of: 'last_alert' }] });
export type RuleBaseline = z.infer<typeof baselineSchema>;

/** A baseline that every snapshot gives, so that a condition can use it at any time. */
export const passingBaselineSchema = z
  .discriminatedUnion('of', [windowBaselineSchema, previousBaselineSchema], {
    error: 'must be previous_snapshot, or the high, low, start or median of a window',
  })
  .meta({ id: 'PassingBaseline' });

function changeSchema(percent: typeof dropPercentSchema, description: string) {
  return z
    .strictObject({
      percent: percent.optional(),
      amount: priceChangeSchema.optional(),
      min_amount: priceChangeSchema
        .optional()
        .meta({ description: 'With a percent: the change must also be at least this amount' }),
    })
    .check(onlyOne(['percent', 'amount']), onlyBeside('min_amount', 'percent'))
    .meta({ description });
}

export const dropSchema = changeSchema(dropPercentSchema, 'By how much it falls');
export const riseSchema = changeSchema(risePercentSchema, 'By how much it rises');
export type RuleChange = z.infer<typeof dropSchema>;

const seatPatternSchema = z
  .string()
  .max(40)
  .refine((pattern) => parseSeatPattern(pattern) !== null, {
    error:
      'must be a name, a range from low to high such as 101-118 or A-K, or a glob such as CLUB*',
  });

/** A listing filter; an absent field matches everything. */
export const listingFilterFields = {
  zones: z.array(zoneSchema).min(1).max(20).optional(),
  sections: z
    .array(seatPatternSchema)
    .min(1)
    .max(50)
    .optional()
    .meta({ examples: [['101-118', 'CLUB*']] }),
  rows: z
    .array(seatPatternSchema)
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Seat order: A to Z, then AA', examples: [['A-K', '1-10']] }),
  min_quantity: wholeNumberSchema(1, 50).optional(),
};

type Fields = Record<string, unknown>;

/** Checks that exactly one of the fields is present; runs even if other fields are faulty. */
export function onlyOne(fields: readonly string[]) {
  const names = `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`;
  return always(
    (value) => fields.filter((field) => value[field] !== undefined).length === 1,
    `must have exactly one of ${names}`,
  );
}

/** Checks that at most one of the fields is present. */
export function atMostOne(fields: readonly [string, string]) {
  return always(
    (value) => fields.filter((field) => value[field] !== undefined).length <= 1,
    `must have only one of ${fields.join(' and ')}`,
  );
}

/** Checks that a field is present only with another. */
export function onlyBeside(field: string, other: string) {
  return always(
    (value) => value[field] === undefined || value[other] !== undefined,
    `is allowed only with ${other}`,
    [field],
  );
}

/** A check that runs even if other fields are faulty, so that all faults are reported at once. */
export function always(holds: (value: Fields) => boolean, error: string, path: string[] = []) {
  return z.refine<Fields>((value) => holds(value), { error, path, when: () => true });
}
