// What differs between two versions of a watch: each setting before and after, and a plain sentence about it. Pure.
import * as z from 'zod';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { countWords, listWords } from '#shared/rules/words/words.ts';
import type { Watch, WatchRule } from '#shared/watchlist/watch.ts';
import { boughtJson, boughtWords } from './bought-json.ts';

/** The settings of a watch that a version has; a version of a deleted watch has `removedAt`. */
export type WatchContent = Omit<Watch, 'unsettled' | 'setAside'>;

/** The title of a channel; its id if it no longer exists. */
export type TitleOf = (channelId: string) => string;

interface Field {
  /** The value as the API has it. */
  read: (watch: WatchContent) => unknown;
  words: (before: WatchContent, after: WatchContent, titleOf: TitleOf) => string;
}

const statusWords = { active: 'resumed', paused: 'paused', ended: 'ended' } as const;

/** Every setting that can change. */
const fields = {
  deleted: {
    read: ({ removedAt }) => removedAt !== undefined,
    words: (_before, { removedAt }) => (removedAt === undefined ? 'restored' : 'deleted'),
  },
  status: {
    // The deletion is told by `deleted`.
    read: (watch) => watch.statusWhenRemoved ?? watch.status,
    words: (_before, watch) => statusWords[watch.statusWhenRemoved ?? watch.status],
  },
  bought: {
    read: ({ bought }) => boughtJson(bought),
    words: (_before, { bought }) => boughtWords(bought),
  },
  name: {
    read: ({ name = null }) => name,
    words: ({ name: before }, { name: after }) => setWords('name', before, after),
  },
  rules: {
    read: ({ rules }) => rules.map(({ ruleId, rule }) => ({ id: ruleId, rule })),
    words: ({ rules: before }, { rules: after }) => rulesWords(before, after),
  },
  tags: {
    read: ({ tags = [] }) => tags,
    words: ({ tags: before = [] }, { tags: after = [] }) => listChange('tag', before, after),
  },
  channels: {
    read: ({ channelIds }) => channelIds,
    words: ({ channelIds: before }, { channelIds: after }, titleOf) =>
      listChange('channel', before, after, titleOf),
  },
  fallback_channel: {
    read: ({ fallbackChannelId = null }) => fallbackChannelId,
    words: ({ fallbackChannelId: before }, { fallbackChannelId: after }, titleOf) =>
      setWords('fallback channel', before && titleOf(before), after && titleOf(after)),
  },
  snoozed_until: {
    read: ({ snoozedUntil }) => timeText(snoozedUntil),
    words: (_before, { snoozedUntil }) =>
      snoozedUntil === undefined ? 'snooze ended' : `snoozed until ${timeText(snoozedUntil)}`,
  },
  latency_seconds: {
    read: ({ latencySeconds }) => latencySeconds,
    words: ({ latencySeconds: before }, { latencySeconds: after }) =>
      `latency ${countWords(after, 'second')} (was ${countWords(before, 'second')})`,
  },
  inherits: {
    read: ({ inherits = [] }) => inherits.toSorted(),
    words: ({ inherits: before = [] }, { inherits: after = [] }) => inheritWords(before, after),
  },
} as const satisfies Record<string, Field>;

export type ChangedField = keyof typeof fields;
export const changedFields = Object.keys(fields) as ChangedField[];

/** The change of one setting, as JSON. */
export const differenceSchema = z
  .object({
    field: z.enum(changedFields),
    before: z.unknown().meta({ description: 'The value before, as the watch has it in JSON' }),
    after: z.unknown().meta({ description: 'The value after' }),
    words: z.string().meta({ description: 'The change in plain words' }),
  })
  .meta({ id: 'WatchDifference', description: 'The change of one setting of a watch' });

export type Difference = z.infer<typeof differenceSchema>;

/** The settings that differ; of the rules, only those that differ. */
export function differencesBetween(
  before: WatchContent,
  after: WatchContent,
  titleOf: TitleOf,
): Difference[] {
  return changedFields.flatMap((field) => {
    const { read, words }: Field = fields[field];
    const [had, has] = [read(before), read(after)];
    if (isSame(had, has)) return [];
    const [shownBefore, shownAfter] =
      Array.isArray(had) && Array.isArray(has) && field === 'rules'
        ? [without(had, has), without(has, had)]
        : [had, has];
    const said = words(before, after, titleOf);
    return [{ field, before: shownBefore, after: shownAfter, words: said }];
  });
}

/** "paused; name “Finals” (was “Final”)"; "nothing" if nothing differs. */
export function differenceWords(differences: readonly Difference[]): string {
  return differences.length === 0 ? 'nothing' : differences.map(({ words }) => words).join('; ');
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function without(these: readonly unknown[], those: readonly unknown[]): unknown[] {
  return these.filter((one) => !those.some((other) => isSame(one, other)));
}

function setWords(what: string, before: string | undefined, after: string | undefined): string {
  if (after === undefined) return `${what} “${before}” removed`;
  return before === undefined ? `${what} “${after}”` : `${what} “${after}” (was “${before}”)`;
}

function listChange(
  noun: string,
  before: readonly string[],
  after: readonly string[],
  titleOf: TitleOf = (text) => text,
): string {
  const added = after.filter((each) => !before.includes(each));
  const removed = before.filter((each) => !after.includes(each));
  const said = (verb: string, these: readonly string[]) =>
    these.length === 0
      ? []
      : [`${noun}${these.length === 1 ? '' : 's'} ${listWords(these.map(titleOf))} ${verb}`];
  const parts = [...said('added', added), ...said('removed', removed)];
  return parts.length === 0 ? `${noun}s in another order` : parts.join('; ');
}

function rulesWords(before: readonly WatchRule[], after: readonly WatchRule[]): string {
  const was = new Map(before.map(({ ruleId, rule }) => [ruleId, ruleSentence(rule)]));
  const is = new Map(after.map(({ ruleId, rule }) => [ruleId, ruleSentence(rule)]));
  const kept = [...is].flatMap(([id, sentence]) => {
    const old = was.get(id);
    if (old === undefined) return [`new rule “${sentence}”`];
    return old === sentence ? [] : [`rule “${sentence}” (was “${old}”)`];
  });
  const gone = [...was].flatMap(([id, old]) => (is.has(id) ? [] : [`rule “${old}” removed`]));
  const parts = [...kept, ...gone];
  return parts.length === 0 ? 'details of the rules' : parts.join('; ');
}

function inheritWords(before: readonly string[], after: readonly string[]): string {
  const names = { channels: 'channels', latency_seconds: 'latency' } as Record<string, string>;
  const follow = (verb: string) => (name: string) => `${names[name] ?? name} ${verb} the defaults`;
  const begun = after.filter((each) => !before.includes(each)).map(follow('set by'));
  const ended = before.filter((each) => !after.includes(each)).map(follow('no longer set by'));
  return [...begun, ...ended].join('; ');
}

function timeText(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
