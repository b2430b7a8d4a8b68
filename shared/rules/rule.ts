/**
 * The rule language: what a watcher may ask, as JSON in snake_case. Says what a rule looks like;
 * compile.ts says what it means.
 */
import * as z from 'zod';
import { priceSchema } from './price-schema.ts';

/** A metric at or beyond a fixed level. */
export const levelRuleSchema = z
  .strictObject({
    type: z.literal('level'),
    metric: z.literal('get_in'),
    zone: z.string().min(1).max(200).optional(),
    at_or_below: priceSchema.optional(),
    at_or_above: priceSchema.optional(),
  })
  .refine(
    (rule) => (rule.at_or_below === undefined) !== (rule.at_or_above === undefined),
    'must say exactly one of at_or_below and at_or_above',
  )
  .meta({
    id: 'LevelRule',
    description: 'A metric at or beyond a level',
    examples: [{ type: 'level', metric: 'get_in', zone: 'Lower Bowl', at_or_below: 80 }],
  });

export const ruleSchema = z.discriminatedUnion('type', [levelRuleSchema]);
export type Rule = z.infer<typeof ruleSchema>;
