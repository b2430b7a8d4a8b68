/**
 * The rule language, as JSON in snake_case. Has the schemas of rules; compile.ts has their meaning.
 */
import * as z from 'zod';
import {
  countSchema,
  hoursSchema,
  priceChangeSchema,
  priceSchema,
  risePercentSchema,
  sharePercentSchema,
} from './amount-schema.ts';
import {
  asksSomething,
  commonChecks,
  pairOnlyForGetIn,
  wholeListings,
  zonesHavePrices,
} from './rule-checks.ts';
import { DEFAULT_ANY_CHANGE_PER_DAY } from './rule-limits.ts';
import { feeField, modifiers, repeatField } from './rule-modifiers.ts';
import {
  atMostOne,
  baselineSchema,
  dropSchema,
  listingFilterFields,
  onlyBeside,
  onlyOne,
  priceSubject,
  riseSchema,
  spanSchema,
  zoneSchema,
} from './rule-parts.ts';

const minHistory = {
  min_history_hours: hoursSchema.optional().meta({
    description:
      'No alert before the window has a value at least this old, in hours with at most two decimals. Default: half of the window; 24 hours for `ever`.',
  }),
};

export const levelRuleSchema = z
  .strictObject({
    type: z.literal('level'),
    ...priceSubject,
    at_or_below: priceSchema.optional(),
    below: priceSchema.optional(),
    at_or_above: priceSchema.optional(),
    above: priceSchema.optional(),
    ...modifiers,
    ...repeatField,
    ...feeField,
  })
  .check(
    onlyOne(['at_or_below', 'below', 'at_or_above', 'above']),
    pairOnlyForGetIn,
    ...commonChecks,
  )
  .meta({
    id: 'LevelRule',
    description: 'A price at or beyond a level',
    examples: [
      { type: 'level', metric: 'get_in', zone: 'Lower Bowl', at_or_below: 80 },
      {
        type: 'level',
        metric: 'get_in',
        min_quantity: 2,
        at_or_below: 290,
        repeat_every_further_percent: 2,
      },
    ],
  });

export const changeRuleSchema = z
  .strictObject({
    type: z.literal('change'),
    ...priceSubject,
    metric: z.enum([...priceSubject.metric.options, 'total_listings_active']),
    drops_by: dropSchema.optional(),
    rises_by: riseSchema.optional(),
    from: baselineSchema,
    ...minHistory,
    ...modifiers,
    ...repeatField,
  })
  .check(
    onlyOne(['drops_by', 'rises_by']),
    pairOnlyForGetIn,
    wholeListings,
    zonesHavePrices,
    ...commonChecks,
  )
  .meta({
    id: 'ChangeRule',
    description: 'A number that falls or rises, by a percent or an amount, from a named baseline',
    examples: [
      {
        type: 'change',
        metric: 'get_in',
        drops_by: { percent: 15, min_amount: 5 },
        from: { of: 'high', window: '24h' },
      },
      {
        type: 'change',
        metric: 'median_price',
        rises_by: { amount: 20 },
        from: { of: 'last_alert' },
      },
    ],
  });

export const anyChangeRuleSchema = z
  .strictObject({
    type: z.literal('any_change'),
    ...priceSubject,
    min_percent: risePercentSchema.optional(),
    min_amount: priceChangeSchema.optional(),
    ...modifiers,
  })
  .check(pairOnlyForGetIn, atMostOne(['min_percent', 'min_amount']), ...commonChecks)
  .meta({
    id: 'AnyChangeRule',
    description: `A price that moves at all from one snapshot to the next, up or down; at most ${DEFAULT_ANY_CHANGE_PER_DAY} alerts in 24 hours unless at_most_per_day says otherwise`,
    examples: [{ type: 'any_change', metric: 'get_in', min_percent: 1, at_most_per_day: 5 }],
  });

export const extremeRuleSchema = z
  .strictObject({
    type: z.literal('extreme'),
    ...priceSubject,
    new: z.enum(['low', 'high']),
    within: spanSchema,
    min_amount: priceChangeSchema
      .optional()
      .meta({ description: 'How far the price must pass the earlier extreme; default one cent' }),
    ...minHistory,
    ...modifiers,
  })
  .check(pairOnlyForGetIn, ...commonChecks)
  .meta({
    id: 'ExtremeRule',
    description: 'A price lower, or higher, than everything earlier in a window or ever',
    examples: [{ type: 'extreme', metric: 'get_in', new: 'low', within: '7d' }],
  });

export const supplyRuleSchema = z
  .strictObject({
    type: z.literal('supply'),
    zone: zoneSchema.optional().meta({ description: 'Only beside becomes' }),
    matching: z
      .strictObject(listingFilterFields)
      .optional()
      .meta({ description: 'Count only the listings that match; needs the listings feed' }),
    at_or_below: countSchema.optional(),
    at_or_above: countSchema.optional(),
    becomes: z.enum(['available', 'sold_out']).optional(),
    ...modifiers,
    ...repeatField,
  })
  .check(
    onlyOne(['at_or_below', 'at_or_above', 'becomes']),
    onlyBeside('zone', 'becomes'),
    atMostOne(['zone', 'matching']),
    ...commonChecks,
  )
  .meta({
    id: 'SupplyRule',
    description: 'The number of active listings; or a zone that becomes available or sold out',
    examples: [
      { type: 'supply', at_or_below: 40 },
      { type: 'supply', zone: 'Lower Bowl', becomes: 'available' },
    ],
  });

export const fillRateRuleSchema = z
  .strictObject({
    type: z.literal('fill_rate'),
    at_or_below: sharePercentSchema.optional(),
    at_or_above: sharePercentSchema.optional(),
    ...modifiers,
  })
  .check(onlyOne(['at_or_below', 'at_or_above']), asksSomething, ...commonChecks)
  .meta({
    id: 'FillRateRule',
    description: 'The share of listings that sold, in percent',
    examples: [{ type: 'fill_rate', at_or_above: 60 }],
  });

export const listingRuleSchema = z
  .strictObject({
    type: z.literal('listing'),
    ...listingFilterFields,
    at_or_below: priceSchema,
    ...modifiers,
    ...feeField,
  })
  .check(...commonChecks)
  .meta({
    id: 'ListingRule',
    description: 'A new cheapest listing among those that match; the alert names the listings',
    examples: [
      { type: 'listing', sections: ['101-105'], rows: ['A-K'], min_quantity: 2, at_or_below: 150 },
    ],
  });

/** Any rule. */
export const ruleSchema = z
  .discriminatedUnion(
    'type',
    [
      levelRuleSchema,
      changeRuleSchema,
      anyChangeRuleSchema,
      extremeRuleSchema,
      supplyRuleSchema,
      fillRateRuleSchema,
      listingRuleSchema,
    ],
    {
      error:
        'must be a rule: an object whose type is level, change, any_change, extreme, supply, fill_rate or listing',
    },
  )
  .meta({ id: 'Rule' });
export type Rule = z.infer<typeof ruleSchema>;
export type LevelRule = z.infer<typeof levelRuleSchema>;
export type ChangeRule = z.infer<typeof changeRuleSchema>;
export type AnyChangeRule = z.infer<typeof anyChangeRuleSchema>;
export type ExtremeRule = z.infer<typeof extremeRuleSchema>;
export type SupplyRule = z.infer<typeof supplyRuleSchema>;
export type FillRateRule = z.infer<typeof fillRateRuleSchema>;
export type ListingRule = z.infer<typeof listingRuleSchema>;
