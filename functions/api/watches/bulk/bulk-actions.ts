// The actions of a bulk change, as a request names them; plan-action.ts says what each changes in a watch.
import * as z from 'zod';
import { latencySchema, maxTagsPerWatch, tagSchema } from '#shared/watchlist/defaults-request.ts';
import { levelChangeSchema } from './level-change.ts';

/** A longer snooze should be a pause. */
export const longestSnoozeMs = 400 * 86_400_000;

const tags = z.array(tagSchema).min(1).max(maxTagsPerWatch);
const channels = z
  .array(z.string().trim().min(1).max(320))
  .min(1)
  .max(10)
  .meta({ description: 'Ids, names or mail addresses of channels' });

function action<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  id: string,
  shape: Shape,
) {
  return z.strictObject({ type: z.literal(type), ...shape }).meta({ id });
}

const snoozeSchema = z
  .strictObject({
    type: z.literal('snooze'),
    until: z.iso
      .datetime({ offset: true, error: 'must be a time such as 2026-03-01T12:00:00Z' })
      .optional(),
    minutes: z
      .int()
      .min(1)
      .max(longestSnoozeMs / 60_000)
      .optional()
      .meta({ description: 'How long, counted from now; in place of `until`' }),
  })
  .refine(({ until, minutes }) => (until === undefined) !== (minutes === undefined), {
    error: 'must have either `until` or `minutes`',
  })
  .meta({ id: 'SnoozeAction' });

export const bulkActionSchema = z
  .discriminatedUnion('type', [
    action('pause', 'PauseAction', {}),
    action('resume', 'ResumeAction', {}),
    snoozeSchema,
    action('end_snooze', 'EndSnoozeAction', {}),
    action('add_tags', 'AddTagsAction', { tags }),
    action('remove_tags', 'RemoveTagsAction', { tags }),
    action('replace_tags', 'ReplaceTagsAction', { tags: z.array(tagSchema).max(maxTagsPerWatch) }),
    levelChangeSchema,
    action('add_channels', 'AddChannelsAction', { channels }),
    action('remove_channels', 'RemoveChannelsAction', { channels }),
    action('replace_channels', 'ReplaceChannelsAction', { channels }),
    action('set_latency', 'SetLatencyAction', {
      latency_seconds: latencySchema.nullable().meta({ description: 'null: use the defaults' }),
    }),
    action('delete', 'DeleteAction', {}),
  ])
  .meta({ id: 'BulkAction' });

/** An action. When it is carried out, a snooze has `until`, and channels are ids. */
export type BulkAction = z.infer<typeof bulkActionSchema>;
