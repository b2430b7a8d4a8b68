// Watches as JSON: the only place that converts camelCase to snake_case, and integers to amounts
// that people read.
import * as z from 'zod';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { inToldUnit, toldUnits } from '#shared/rules/metric.ts';
import { triggerStates } from '#shared/rules/trigger.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import {
  severities,
  type TroubleRow,
  troubleCodes,
  troubleTable,
} from '#shared/watchlist/trouble-table.ts';
import { inheritableSettings, watchStatuses } from '#shared/watchlist/watch.ts';
import { boughtJson, boughtSchema } from './bought-json.ts';
import { changedByJson, changedBySchema } from './changed-by-json.ts';
import type { CurrentWatch } from './current-status.ts';
import { eventFields, eventFieldsJson, eventPlaceFields, eventPlaceJson } from './event-fields.ts';
import { whySchema } from './next-poll-why.ts';
import type { RuleStatus } from './rule-standing.ts';
import type { StatusOfWatch } from './watch-status.ts';

const isoTime = z.iso.datetime().nullable();

const ruleFields = {
  id: z.string(),
  sentence: z.string().meta({ description: 'The rule in plain English' }),
  rule: ruleSchema,
};

const ruleJsonSchema = z
  .object({
    ...ruleFields,
    currently_true: z.boolean().nullable().optional().meta({
      description:
        'In the answer to the creation: whether the rule is true at the newest snapshot. If so, it alerts at once or waits for the next crossing, as `when_already_true` says. null if no snapshot of the event is stored.',
    }),
  })
  .meta({ id: 'RuleOfWatch' });

const codeRows = troubleCodes.map((code) => {
  const { severity, text, ends, isExpected }: TroubleRow = troubleTable[code];
  return `- \`${code}\` (${severity}${isExpected ? ', expected' : ''}): ${text} ${ends}`;
});

export const troubleJsonSchema = z
  .object({
    code: z.enum(troubleCodes),
    severity: z.enum(severities).meta({
      description:
        'silent: no alert is delivered while it lasts; degraded: some alerts are delivered, or they come late',
    }),
    expected: z.boolean().meta({
      description:
        'Whether the owner or the end of the event has made it so, and nothing is wrong: the watch is paused, snoozed, bought or over',
    }),
    text: z.string().meta({ description: 'What is wrong, in a sentence' }),
    ends: z.string().meta({ description: 'How the trouble ends, and what you can do' }),
  })
  .meta({
    id: 'Trouble',
    description: `A reason why a watch is silent or late. The codes, their texts and how they end:\n\n${codeRows.join('\n')}`,
  });

export const troubleListSchema = z
  .array(troubleJsonSchema)
  .meta({ description: 'Everything that keeps the watch silent or late; empty if nothing does' });

const watchFields = {
  id: z.string(),
  ...eventFields,
  ...eventPlaceFields,
  name: z.string().nullable(),
  tags: z.array(z.string()),
  status: z.enum(watchStatuses).meta({
    description: 'ended: its event is over, or you bought a ticket (`bought`)',
  }),
  bought: boughtSchema,
  snoozed_until: isoTime.meta({
    description: 'Until this time the watch’s alerts are recorded and not sent',
  }),
  channels: z.array(z.string()),
  fallback_channel: z.string().nullable(),
  latency_seconds: z.int(),
  inherits: z
    .array(z.enum(inheritableSettings))
    .meta({ description: 'Settings that follow the defaults of its tags and its owner' }),
  version: z.int().meta({ description: 'The same as its ETag' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  changed_by: changedBySchema
    .nullable()
    .meta({ description: 'Who made this version, at `updated_at`; null if it is not recorded' }),
};

export const watchJsonSchema = z
  .object({ ...watchFields, rules: z.array(ruleJsonSchema) })
  .meta({ id: 'Watch', description: 'One owner’s rules on one event' });

export const ruleStandingFields = {
  state: z.enum([...triggerStates, 'not_made']).meta({
    description:
      'new: not evaluated yet; armed: waiting for its level; pending: waiting for confirmation; fired: has alerted, waiting to re-arm',
  }),
  unit: z
    .enum(['dollars', 'count', 'percent'])
    .meta({ description: 'The unit of value, level and distance' }),
  value: z.number().nullable().meta({
    description:
      'The number that is compared with the level, at the newest snapshot: the price with the rule’s fee, or the change; null for no value',
  }),
  level: z.number().nullable().meta({
    description:
      'The level as the rule has it; for a new low or high, the price at which there is one. null while unknown',
  }),
  distance: z.number().nullable().meta({ description: 'From value to level; 0 when reached' }),
  reached: z.boolean().nullable(),
  words: z.string().meta({ description: 'The same as a sentence' }),
};

export const lastAlertSchema = z
  .object({ id: z.string(), fired_at: z.iso.datetime(), sentence: z.string() })
  .nullable();

export const watchStatusJsonSchema = z
  .object({
    ...watchFields,
    rules: z.array(z.object({ ...ruleFields, ...ruleStandingFields })),
    data_as_of: isoTime.meta({ description: 'When the newest snapshot was taken' }),
    next_poll_at: isoTime,
    next_poll_reason: z.string().nullable(),
    next_poll_why: whySchema,
    last_alert: lastAlertSchema,
    cost: z.object({
      pulls: z.number().meta({
        description: 'Pulls spent so far: this watch’s share of pulls that several watches use',
      }),
      by_feed: z.record(z.string(), z.number()),
    }),
    trouble: troubleListSchema,
  })
  .meta({ id: 'WatchStanding', description: 'One watch with its current values' });

/** The answer to a restoration: the watch, and the channels that it had and that are gone. */
export const restoredJsonSchema = watchJsonSchema
  .extend({
    channels_left_out: z
      .array(z.string())
      .meta({ description: 'Channels that it had and that no longer exist' }),
  })
  .meta({ id: 'RestoredWatch' });

/** A restored watch. */
export function restoredJson(watch: CurrentWatch, leftOut: readonly string[]) {
  return { ...watchJson(watch), channels_left_out: [...leftOut] };
}

/** A watch without its current state. */
export function watchJson(
  watch: CurrentWatch,
  currentlyTrue?: Map<string, boolean | null>,
): z.infer<typeof watchJsonSchema> {
  const rules = watch.rules.map(({ ruleId, rule }) => ({
    id: ruleId,
    sentence: ruleSentence(rule),
    rule,
    ...(currentlyTrue && { currently_true: currentlyTrue.get(ruleId) ?? null }),
  }));
  return { ...fieldsJson(watch), rules };
}

/** A watch with its current state. */
export function watchStatusJson(
  watch: CurrentWatch,
  standing: StatusOfWatch,
): z.infer<typeof watchStatusJsonSchema> {
  const byRule = new Map(standing.rules.map((rule) => [rule.ruleId, rule]));
  const { lastAlert, cost } = standing;
  return {
    ...fieldsJson(watch),
    rules: watchJson(watch).rules.map((rule) => ({
      ...rule,
      ...ruleStandingJson(byRule.get(rule.id)),
    })),
    data_as_of: iso(standing.dataAsOf),
    next_poll_at: iso(standing.nextPollAt),
    next_poll_reason: standing.nextPollReason,
    next_poll_why: standing.nextPollWhy,
    last_alert: lastAlertJson(lastAlert),
    cost: { pulls: cost.pulls, by_feed: { ...cost.byFeed } },
    trouble: standing.troubles,
  };
}

function fieldsJson(watch: CurrentWatch) {
  return {
    id: watch.watchId,
    ...eventFieldsJson(watch.eventId, watch.facts),
    ...eventPlaceJson(watch.facts),
    name: watch.name ?? null,
    tags: watch.tags ?? [],
    status: watch.status,
    bought: boughtJson(watch.bought),
    snoozed_until: iso(watch.snoozedUntil ?? null),
    channels: watch.channelIds,
    fallback_channel: watch.fallbackChannelId ?? null,
    latency_seconds: watch.latencySeconds,
    inherits: watch.inherits ?? [],
    version: watch.version,
    created_at: watch.createdAt,
    updated_at: watch.updatedAt,
    changed_by: changedByJson(watch.changedBy),
  };
}

/** The last alert of a watch. */
export function lastAlertJson(last: StatusOfWatch['lastAlert']) {
  if (!last) return null;
  const { alertId: id, firedAt, sentence } = last;
  return { id, fired_at: new Date(firedAt).toISOString(), sentence };
}

/** How far one rule is from speaking. */
export function ruleStandingJson(rule: RuleStatus | undefined) {
  if (!rule) throw new Error('a rule has no standing');
  const { state, unit, value, level, distance, isReached, words } = rule;
  const amount = (number: number | null) => (number === null ? null : inToldUnit(unit, number));
  return {
    state,
    unit: toldUnits[unit],
    value: amount(value),
    level: amount(level),
    distance: amount(distance === null ? null : Math.max(0, distance)),
    reached: isReached,
    words,
  };
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
