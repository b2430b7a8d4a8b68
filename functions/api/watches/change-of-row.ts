// What a row of a file changes in the watch that it names. Pure.
import * as z from 'zod';
import type { Rule } from '#shared/rules/language/rule.ts';
import { canonicalRule } from '#shared/rules/language/validate.ts';
import type { Watch, WatchRule } from '#shared/watchlist/watch.ts';
import { newWatchSchema, type WatchChange } from '#shared/watchlist/watch-request.ts';
import type { FileRow } from './watchlist-file.ts';

const { name, tags, rules, channels, latency_seconds, fallback_channel } = newWatchSchema.shape;

/** The settings of a row; null resets one, and an absent one stays. */
export const rowChangeSchema = z.strictObject({
  ...{ tags, rules: rules.optional() },
  name: name.unwrap().nullable().optional(),
  channels: channels.unwrap().nullable().optional(),
  latency_seconds: latency_seconds.unwrap().nullable().optional(),
  fallback_channel: fallback_channel.unwrap().nullable().optional(),
});

type RowChange = z.infer<typeof rowChangeSchema>;

/** The settings of a row that differ from the watch; undefined if none does. */
export function differencesIn(watch: Watch, row: RowChange): WatchChange | undefined {
  const inherits = new Set(watch.inherits);
  const now = {
    name: watch.name ?? null,
    tags: watch.tags ?? [],
    channels: inherits.has('channels') ? null : watch.channelIds,
    latency_seconds: inherits.has('latency_seconds') ? null : watch.latencySeconds,
    fallback_channel: watch.fallbackChannelId ?? null,
  };
  const { rules: wanted, ...settings } = row;
  const changed = Object.entries(settings).filter(
    ([setting, value]) =>
      value !== undefined &&
      JSON.stringify(value) !== JSON.stringify(now[setting as keyof typeof now]),
  );
  const isSame = wanted === undefined || isEqual(watch.rules, wanted);
  if (changed.length === 0 && isSame) return undefined;
  return { ...Object.fromEntries(changed), ...(!isSame && { rules: paired(watch.rules, wanted) }) };
}

function isEqual(own: readonly WatchRule[], wanted: readonly Rule[]): boolean {
  return (
    own.length === wanted.length &&
    own.every(({ rule }, index) => {
      const other = wanted[index];
      return other !== undefined && canonicalRule(rule) === canonicalRule(other);
    })
  );
}

/**
 * A changed rule keeps the id, and so the history, of the rule that it was: of the first of the same type that the
 * file has no more.
 */
function paired(
  own: readonly WatchRule[],
  wanted: readonly Rule[],
): NonNullable<WatchChange['rules']> {
  const texts = new Set(wanted.map(canonicalRule));
  const gone = own.filter(({ rule }) => !texts.has(canonicalRule(rule)));
  const kept = new Set(own.map(({ rule }) => canonicalRule(rule)));
  return wanted.map((rule) => {
    if (kept.has(canonicalRule(rule))) return rule;
    const at = gone.findIndex((each) => each.rule.type === rule.type);
    const [before] = at < 0 ? [] : gone.splice(at, 1);
    return before ? { id: before.ruleId, rule } : rule;
  });
}

/** An empty cell resets a setting; an empty cell of the rules or the event says nothing. */
export function resetsOf({ empty }: Pick<FileRow, 'empty'>): Record<string, unknown> {
  const nulled = ['name', 'channels', 'latency_seconds', 'fallback_channel'];
  return {
    ...Object.fromEntries(
      nulled.filter((name) => empty.includes(name)).map((name) => [name, null]),
    ),
    ...(empty.includes('tags') && { tags: [] }),
  };
}
