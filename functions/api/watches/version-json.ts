// The versions of a watch as JSON: who made each, when, and what it changed.
import * as z from 'zod';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { isOfChannel, linkActTable } from '#shared/watchlist/changed-by.ts';
import { inheritableSettings, watchStatuses } from '#shared/watchlist/watch.ts';
import { boughtJson, boughtSchema } from './bought-json.ts';
import { changedByJson, changedBySchema } from './changed-by-json.ts';
import {
  type Difference,
  differenceSchema,
  differencesBetween,
  differenceWords,
  type TitleOf,
  type WatchContent,
} from './watch-differences.ts';

export const watchVersionJsonSchema = z
  .object({
    version: z.int(),
    is_current: z.boolean(),
    changed_at: z.iso.datetime().meta({ description: 'When this version was made' }),
    changed_by: changedBySchema
      .nullable()
      .meta({ description: 'null for versions from before it was recorded' }),
    changes: z.array(differenceSchema).nullable().meta({
      description:
        'What this version changed in the version before it; null for the first version, and if the one before is no longer kept',
    }),
    words: z.string().meta({ description: 'All changes in plain words' }),
    settings: z
      .object({
        name: z.string().nullable(),
        tags: z.array(z.string()),
        status: z.enum(watchStatuses),
        bought: boughtSchema,
        snoozed_until: z.iso.datetime().nullable(),
        channels: z.array(z.string()),
        fallback_channel: z.string().nullable(),
        latency_seconds: z.int(),
        inherits: z.array(z.enum(inheritableSettings)),
        rules: z.array(z.object({ id: z.string(), sentence: z.string(), rule: ruleSchema })),
      })
      .meta({ description: 'The watch as this version has it' }),
  })
  .meta({ id: 'WatchVersion', description: 'A version of a watch' });

/** A version; `before` is the one before it, if it is kept. */
export function watchVersionJson(
  watch: WatchContent,
  before: WatchContent | undefined,
  { isCurrent, titleOf }: { isCurrent: boolean; titleOf: TitleOf },
): z.infer<typeof watchVersionJsonSchema> {
  const changes = before ? differencesBetween(before, watch, titleOf) : null;
  return {
    version: watch.version,
    is_current: isCurrent,
    changed_at: watch.updatedAt,
    changed_by: changedByJson(watch.changedBy),
    changes,
    words: versionWords(watch, changes, titleOf),
    settings: settingsJson(watch),
  };
}

function versionWords(
  { version, changedBy }: WatchContent,
  changes: Difference[] | null,
  titleOf: TitleOf,
): string {
  const { act, channelId } = changedBy ?? {};
  if (isOfChannel(act)) return `alerts to the ${titleOf(channelId ?? '')} ${linkActTable[act]}`;
  if (changes) return differenceWords(changes);
  return version === 1 ? 'made' : 'not known: the version before it is no longer kept';
}

function settingsJson(watch: WatchContent) {
  const { snoozedUntil, statusWhenRemoved } = watch;
  return {
    name: watch.name ?? null,
    tags: watch.tags ?? [],
    status: statusWhenRemoved ?? watch.status,
    bought: boughtJson(watch.bought),
    snoozed_until: snoozedUntil === undefined ? null : new Date(snoozedUntil).toISOString(),
    channels: watch.channelIds,
    fallback_channel: watch.fallbackChannelId ?? null,
    latency_seconds: watch.latencySeconds,
    inherits: watch.inherits ?? [],
    rules: watch.rules.map(({ ruleId, rule }) => ({
      ...{ id: ruleId, sentence: ruleSentence(rule), rule },
    })),
  };
}
