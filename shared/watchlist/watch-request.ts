// What the API takes for a new watch and for a change of one.
import * as z from 'zod';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { channelsSchema, latencySchema, maxTagsPerWatch, tagSchema } from './defaults-request.ts';
import { idSchema } from './id.ts';

/** The most rules of a watch; keeps the item far below DynamoDB's 400 KB. */
export const maxRulesPerWatch = 20;

const fields = {
  name: z.string().trim().min(1).max(200),
  rules: z.array(ruleSchema).min(1).max(maxRulesPerWatch),
  tags: z
    .array(tagSchema)
    .max(maxTagsPerWatch)
    .transform((tags) => [...new Set(tags)]),
};

const fallbackWords =
  'The channel that gets the alerts when one of the watch’s channels refuses them, or could not take urgent ones for 15 minutes. It wins over that channel’s own fallback.';

/** The body of `POST /v1/watches`. */
export const newWatchSchema = z
  .strictObject({
    event_id: z
      .int()
      .positive()
      .max(Number.MAX_SAFE_INTEGER)
      .meta({ description: 'The event’s id at the marketplace (service event id)' }),
    name: fields.name.optional(),
    tags: fields.tags.optional().meta({ description: 'For grouping, filters and defaults' }),
    rules: fields.rules,
    channels: channelsSchema.optional().meta({
      description:
        'Channels that get the alerts. Default: those of the first tag that sets them, then the owner’s',
    }),
    latency_seconds: latencySchema.optional(),
    fallback_channel: idSchema('channel').optional().meta({ description: fallbackWords }),
  })
  .meta({ id: 'WatchlistEntry' });

export type NewWatch = z.infer<typeof newWatchSchema>;

/** The same body, with either id of the event. */
export const watchRequestSchema = newWatchSchema
  .extend({
    event_id: newWatchSchema.shape.event_id.optional(),
    sh_event_id: newWatchSchema.shape.event_id.optional().meta({
      description:
        'The event’s id at the sh marketplace, instead of event_id. The look-up costs at most one pull, which is part of the watch’s cost.',
    }),
  })
  .refine((body) => (body.event_id === undefined) !== (body.sh_event_id === undefined), {
    path: ['event_id'],
    message: 'must be given, or sh_event_id in its place; not both',
  })
  .meta({ id: 'WatchRequest' });

export type WatchRequest = z.infer<typeof watchRequestSchema>;

/** A rule in a change: a new rule, or an existing rule by its id. The document shows the form that has both. */
const changedRuleSchema = z
  .union(
    [
      z
        .strictObject({
          id: idSchema('rule').optional().meta({
            description: 'The rule of the watch that this one changes; absent for a new rule',
          }),
          rule: ruleSchema,
        })
        .transform(({ id, rule }) => (id === undefined ? rule : { id, rule })),
      ruleSchema,
    ],
    {
      error: 'must be a rule, or {"id": "rul_…", "rule": {…}} to change one that the watch has',
    },
  )
  .meta({
    ...{ id: 'RuleInChange', shownForm: 0 },
    description: 'A new rule can also stand here by itself',
  });

/** The body of `PATCH /v1/watches/{id}`; absent fields stay unchanged. */
export const watchChangeSchema = z
  .strictObject({
    name: fields.name.nullable().optional(),
    tags: fields.tags.optional(),
    rules: z.array(changedRuleSchema).min(1).max(maxRulesPerWatch).optional().meta({
      description:
        'All rules of the watch. A rule that is given with its id keeps its history: a level that was announced is not announced again. A rule that is not given is deleted.',
    }),
    channels: channelsSchema.nullable().optional().meta({ description: 'null: use the defaults' }),
    latency_seconds: latencySchema
      .nullable()
      .optional()
      .meta({ description: 'null: use the defaults' }),
    fallback_channel: idSchema('channel')
      .nullable()
      .optional()
      .meta({ description: `${fallbackWords}; null: that channel’s own` }),
  })
  .meta({ id: 'WatchChange' });

export type WatchChange = z.infer<typeof watchChangeSchema>;
