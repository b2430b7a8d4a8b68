/**
 * Fields that every kind of rule may have: further conditions, how often it fires, when it is silent. Has
 * the schemas; modifier-table.ts says what each does to each kind of rule, and which it refuses.
 */
import * as z from 'zod';
import { mostConfirmations } from '../trigger.ts';
import {
  countSchema,
  daysSchema,
  priceChangeSchema,
  priceSchema,
  sharePercentSchema,
  stepPercentSchema,
  wholeNumberSchema,
} from './amount-schema.ts';
import { MAX_CONDITION_LEAVES } from './rule-limits.ts';
import {
  dropSchema,
  listingFilterFields,
  onlyOne,
  passingBaselineSchema,
  priceSubject,
  riseSchema,
} from './rule-parts.ts';

const sides = {
  at_or_below: priceSchema.optional(),
  at_or_above: priceSchema.optional(),
};

const levelConditionSchema = z
  .strictObject({ type: z.literal('level'), ...priceSubject, ...sides })
  .check(onlyOne(['at_or_below', 'at_or_above']))
  .meta({ id: 'LevelCondition' });

const supplyConditionSchema = z
  .strictObject({
    type: z.literal('supply'),
    metric: z.literal('total_listings_active'),
    at_or_below: countSchema.optional(),
    at_or_above: countSchema.optional(),
  })
  .check(onlyOne(['at_or_below', 'at_or_above']))
  .meta({ id: 'SupplyCondition' });

const fillRateConditionSchema = z
  .strictObject({
    type: z.literal('fill_rate'),
    at_or_below: sharePercentSchema.optional(),
    at_or_above: sharePercentSchema.optional(),
  })
  .check(onlyOne(['at_or_below', 'at_or_above']))
  .meta({ id: 'FillRateCondition' });

const changeConditionSchema = z
  .strictObject({
    type: z.literal('change'),
    ...priceSubject,
    drops_by: dropSchema.optional(),
    rises_by: riseSchema.optional(),
    from: passingBaselineSchema,
  })
  .check(onlyOne(['drops_by', 'rises_by']))
  .meta({ id: 'ChangeCondition' });

const listingsConditionSchema = z
  .strictObject({
    type: z.literal('listings'),
    ...listingFilterFields,
    at_least: countSchema.meta({ description: 'How many listings must match' }),
  })
  .meta({ id: 'ListingsCondition' });

const leaves = [
  levelConditionSchema,
  supplyConditionSchema,
  fillRateConditionSchema,
  changeConditionSchema,
  listingsConditionSchema,
] as const;

const NESTING_ERROR =
  'must be level, supply, fill_rate, change or listings, or all_of or any_of no more than three deep';

/** Each level is a schema of its own, not recursion, so that the depth is limited. */
const thirdLevel = z
  .discriminatedUnion('type', leaves, { error: NESTING_ERROR })
  .meta({ id: 'SingleCondition' });
const innerGroup = groupOf(thirdLevel).meta({ id: 'InnerConditionGroup' });
const secondLevel = z
  .discriminatedUnion('type', [...leaves, innerGroup], { error: NESTING_ERROR })
  .meta({ id: 'InnerCondition' });
const outerGroup = groupOf(secondLevel).meta({ id: 'ConditionGroup' });
export const conditionSchema = z
  .discriminatedUnion('type', [...leaves, outerGroup], { error: NESTING_ERROR })
  .meta({
    id: 'Condition',
    description: 'A further condition that must be true when the rule is reached',
    examples: [{ type: 'supply', metric: 'total_listings_active', at_or_below: 40 }],
  });
export type RuleCondition = z.infer<typeof conditionSchema>;
export type LeafCondition = z.infer<typeof thirdLevel>;

function groupOf<T extends z.ZodType>(member: T) {
  return z.strictObject({
    type: z.enum(['all_of', 'any_of']),
    conditions: z.array(member).min(1).max(MAX_CONDITION_LEAVES),
  });
}

const MINUTES_A_MONTH = 43_200;

/** Fields of every rule. */
export const modifiers = {
  all_of: z.array(conditionSchema).min(1).max(MAX_CONDITION_LEAVES).optional(),
  any_of: z.array(conditionSchema).min(1).max(MAX_CONDITION_LEAVES).optional(),
  urgent: z.boolean().optional().meta({ description: 'Ignores digests and quiet hours' }),
  when_already_true: z.enum(['fire', 'wait']).optional().meta({
    description:
      'If the rule is already true when it is made: alert at once (fire), or wait for the next crossing (wait). Default: fire for levels, numbers of listings, fill rates and listings; wait for rules on changes and for `becomes`. fire is refused for a change from last_alert or watch_start.',
  }),
  on_no_data: z.enum(['keep', 'alert', 'clear']).optional().meta({
    description:
      'What to do on a snapshot without a value: nothing (keep, the default), raise an alert (alert), or re-arm the rule (clear). The alert counts for cool_down_minutes and at_most_per_day. clear is refused for a rule that always stays armed: any_change, extreme, and a change from previous_snapshot or last_alert. For listings only keep is accepted, because no match is a value.',
  }),
  confirmations: wholeNumberSchema(1, mostConfirmations)
    .optional()
    .meta({ description: 'Number of new snapshots in a row that must reach the level; default 1' }),
  rearm_percent: sharePercentSchema.optional().meta({
    description:
      'How far the value must go back before the rule can fire again, in percent of the level; default 3. For a change in percent from a window: in points of the change, fewer than the change. For a change by an amount from a window: the percent of the change that must be undone; default 50. Refused for a rule that re-arms by itself: any_change, extreme, listing, `becomes`, and a change from previous_snapshot or last_alert.',
  }),
  rearm_amount: priceChangeSchema.optional().meta({
    description:
      'The same as an amount: in dollars, in whole listings for a number of listings, in percentage points for a fill rate. Also refused for a change in percent from a window, and for a rise in percent from watch_start: use rearm_percent.',
  }),
  cool_down_minutes: wholeNumberSchema(1, MINUTES_A_MONTH).optional().meta({
    description:
      'At most one alert of the rule in this many minutes, alerts of missing data included',
  }),
  at_most_per_day: wholeNumberSchema(1, 50)
    .optional()
    .meta({ description: 'Alerts of the rule in any 24 hours, those of missing data included' }),
  tell_recovery: z.boolean().optional().meta({
    description:
      'After an alert, one more message when the value went back past the rearm level. It ignores the conditions, cool_down_minutes and at_most_per_day of the rule, and counts for neither limit. It is never urgent. true is refused for a rule that always stays armed (any_change, extreme, listing, and a change from previous_snapshot or last_alert), for a change from a window, and beside `becomes`.',
  }),
  within_days_of_event: daysSchema.optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
};

/** For rules that fire once while they stay true. */
export const repeatField = {
  repeat_every_further_percent: stepPercentSchema.optional().meta({
    description:
      'While the rule stays true, alert again at every further step of this many percent; in points for a change in percent from a window. Refused beside `becomes`, for a change by an amount from a window, and for a change from previous_snapshot or last_alert.',
  }),
};

/** For rules that compare a price with a price. */
export const feeField = {
  fee_percent: sharePercentSchema
    .optional()
    .meta({ description: 'Added to every price before it is compared; both numbers are shown' }),
};

/** The number of leaf conditions; a value that is not a condition counts as one. */
export function countLeaves(conditions: readonly unknown[]): number {
  return conditions.reduce<number>((sum, condition) => {
    const isGroup =
      typeof condition === 'object' && condition !== null && 'conditions' in condition;
    const inner = isGroup ? condition.conditions : undefined;
    return sum + (Array.isArray(inner) ? countLeaves(inner) : 1);
  }, 0);
}
