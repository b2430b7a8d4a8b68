// Default settings of an owner's watches: per tag and for all. The order is: the watch's own setting, then
// its tags in their order, then the owner's default.
import * as z from 'zod';
import { idSchema } from './id.ts';

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

/** What a default may set. */
export interface DefaultSettings {
  channelIds?: string[] | undefined;
  latencySeconds?: number | undefined;
}

/** The defaults of one owner: for all watches, and for watches with a tag. */
export interface OwnerDefaults {
  ownerId: string;
  /** Grows with every change; 0 while nothing is stored. */
  version: number;
  all: DefaultSettings;
  /** By tag. */
  tags: Record<string, DefaultSettings>;
}

/** The defaults of an owner who has set none. */
export function noDefaults(ownerId: string): OwnerDefaults {
  return { ownerId, version: 0, all: {}, tags: {} };
}

/** The shortest latency that polls can keep, in seconds: they start once a minute. */
export const shortestLatencySeconds = 60;

/**
 * The latency of a new watch if neither it nor a default sets one, in seconds: an hour. It suits a fan with a few
 * games: at most 24 pulls, $0.36, a day and game, where a minute may cost 1,440 pulls, $21.60. README.md has the
 * figures. Stored watches keep theirs.
 */
export const usualLatencySeconds = 3_600;

/** The defaults for a watch with these tags. */
export function defaultsFor(
  { all, tags }: OwnerDefaults,
  watchTags: readonly string[],
): { channelIds: string[]; latencySeconds: number; isUsualLatency: boolean } {
  const layers = [...watchTags.flatMap((tag) => ownOf(tags, tag) ?? []), all];
  const latency = layers.find(({ latencySeconds }) => latencySeconds !== undefined)?.latencySeconds;
  return {
    channelIds: layers.find(({ channelIds }) => channelIds !== undefined)?.channelIds ?? [],
    latencySeconds: latency ?? usualLatencySeconds,
    isUsualLatency: latency === undefined,
  };
}

/**
 * The latency of a watch that follows the defaults. A watch of the time when the default was a minute keeps that
 * until its owner sets a default.
 */
export function followedLatency(
  watch: { inherits?: readonly string[] | undefined; latencySeconds: number },
  defaults: Pick<ReturnType<typeof defaultsFor>, 'latencySeconds' | 'isUsualLatency'>,
): number {
  const isFormer =
    (watch.inherits ?? []).includes('latency_seconds') &&
    watch.latencySeconds === shortestLatencySeconds;
  return isFormer && defaults.isUsualLatency ? watch.latencySeconds : defaults.latencySeconds;
}

/** A tag may be the name of a property that every object inherits, such as constructor. */
function ownOf(
  tags: Readonly<Record<string, DefaultSettings>>,
  tag: string,
): DefaultSettings | undefined {
  return Object.hasOwn(tags, tag) ? tags[tag] : undefined;
}

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
