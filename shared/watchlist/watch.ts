// A watch: one owner's rules on one event, and the channels that hear of them.
import { any, type FormattedValue, item, list, number, string } from 'dynamodb-toolbox/schema';
import * as z from 'zod';
import { type Rule, ruleSchema } from '#shared/rules/rule.ts';
import { idSchema } from './id.ts';

export const watchStatuses = ['active', 'paused', 'ended'] as const;

/** A rule of a watch with the id that its triggers and alerts name. */
export interface WatchRule {
  ruleId: string;
  rule: Rule;
  /** The triggers that the rule compiled to. */
  triggerIds: string[];
}

export const watchSchema = item({
  watchId: string().key(),
  ownerId: string(),
  eventId: number(),
  name: string().optional(),
  rules: list(any().castAs<WatchRule>()),
  channelIds: list(string()),
  status: string().enum(...watchStatuses),
  latencySeconds: number(),
  version: number(),
  createdAt: string(),
  updatedAt: string(),
});

export type Watch = FormattedValue<typeof watchSchema>;

/** Rules and channels one watch may have; keeps the item far below DynamoDB's 400 KB. */
export const maxRulesPerWatch = 20;
export const maxChannelsPerWatch = 10;

/** The body of `POST /v1/watches`. */
export const newWatchSchema = z
  .strictObject({
    event_id: z.int().positive().meta({ description: 'The marketplace’s service event id' }),
    name: z.string().trim().min(1).max(200).optional(),
    rules: z.array(ruleSchema).min(1).max(maxRulesPerWatch),
    channels: z.array(idSchema('channel')).min(1).max(maxChannelsPerWatch),
    latency_seconds: z.int().min(1).max(86_400).default(60).meta({
      description:
        'How late an alert may be, in seconds. The dispatcher runs once a minute, so less than 60 acts as 60 in the cloud. A longer wish costs fewer pulls.',
    }),
  })
  .meta({ id: 'NewWatch' });

export type NewWatch = z.infer<typeof newWatchSchema>;
