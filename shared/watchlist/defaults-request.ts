// What the API takes for an owner's defaults, and the defaults after a change.
import * as z from 'zod';
import { idSchema } from './id.ts';
import { type DefaultSettings, type OwnerDefaults, ownOf } from './owner-defaults.ts';

export const maxTagsPerWatch = 10;
const maxTagDefaults = 50;

/** Short, in lower case, because tags are for grouping, not for text. */
export const tagSchema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,39}$/,
    'must begin with a letter or digit, and have at most 40 letters, digits, dots, dashes or _',
  )
  .meta({ examples: ['knicks'] });

export const channelsSchema = z.array(idSchema('channel')).min(1).max(10);

export const latencySchema = z.int().min(1).max(86_400).meta({
  description:
    'How late an alert may be, in seconds. Polls start once a minute, so values under 60 act as 60. A longer latency costs fewer pulls. Without a default of yours it is 3600, an hour; `forecast` has the cost of faster ones.',
});

const settingsSchema = z.strictObject({
  channels: channelsSchema.nullable().optional(),
  latency_seconds: latencySchema.nullable().optional(),
});

/** The body of `PATCH /v1/defaults`: absent fields stay unchanged; null removes a default. */
export const defaultsChangeSchema = z
  .strictObject({
    ...settingsSchema.shape,
    tags: z
      .record(tagSchema, settingsSchema.nullable())
      .refine((tags) => Object.keys(tags).length <= maxTagDefaults, {
        error: `must have at most ${maxTagDefaults} tags`,
      })
      .optional()
      .meta({ description: 'Defaults per tag; null removes all defaults of a tag' }),
  })
  .meta({ id: 'DefaultsChange' });

export type DefaultsChange = z.infer<typeof defaultsChangeSchema>;
type SettingsChange = z.infer<typeof settingsSchema>;

/** The defaults after a change. */
export function changeDefaults(before: OwnerDefaults, change: DefaultsChange): OwnerDefaults {
  const tags = { ...before.tags };
  for (const [tag, settings] of Object.entries(change.tags ?? {})) {
    if (settings === null) delete tags[tag];
    else tags[tag] = merge(ownOf(tags, tag) ?? {}, settings);
  }
  return { ...before, version: before.version + 1, all: merge(before.all, change), tags };
}

function merge(before: DefaultSettings, change: SettingsChange): DefaultSettings {
  const { channels, latency_seconds } = change;
  return {
    ...before,
    ...(channels !== undefined && { channelIds: channels ?? undefined }),
    ...(latency_seconds !== undefined && { latencySeconds: latency_seconds ?? undefined }),
  };
}
