// A watch in a list as JSON: with its trouble, and on request with its standing in one object.
import * as z from 'zod';
import {
  lineUntil,
  type PriceLine,
  priceDayBefore,
  weekOf,
} from '#shared/polling/recent-prices.ts';
import type { Trouble } from '#shared/watchlist/trouble-table.ts';
import { restorableUntil } from '#shared/watchlist/watch-version.ts';
import { changedByJson, changedBySchema } from './changed-by-json.ts';
import type { CurrentWatch } from './current-status.ts';
import { nearestOf } from './nearest-rule.ts';
import { nearByDefault, type StandingPage, type WholeRow } from './standing-list.ts';
import {
  lastAlertJson,
  lastAlertSchema,
  ruleStandingFields,
  ruleStandingJson,
  troubleListSchema,
  watchJson,
  watchJsonSchema,
} from './watch-json.ts';
import { watchStates, watchStateTable } from './watch-state.ts';

const stateWords = watchStates.map((state) => `${state}: ${watchStateTable[state]}`).join('; ');
const time = z.iso.datetime().nullable();
const dollars = z.number().nullable();

export const watchStateSchema = z
  .enum(watchStates)
  .meta({ description: `The first that applies: ${stateWords}` });

const listedStandingSchema = z
  .object({
    state: watchStateSchema,
    rules: z.array(z.object({ id: z.string(), ...ruleStandingFields })),
    nearest_rule: z
      .string()
      .nullable()
      .meta({ description: 'The id of the rule that is nearest to its level, in percent of it' }),
    distance_percent: z
      .number()
      .nullable()
      .meta({ description: 'Its distance in percent of the level; 0 when reached' }),
    get_in: dollars.meta({ description: 'The event’s cheapest price at the newest snapshot' }),
    get_in_change_24h_percent: z
      .number()
      .nullable()
      .meta({ description: 'Since 24 hours ago; null while less is known' }),
    get_in_hourly: z.array(dollars).meta({
      description:
        'The last get-in price of each hour up to now, at most 25 hours, oldest first: a sparkline. null where nothing was for sale.',
    }),
    get_in_week: z.array(dollars).meta({
      description:
        'The last get-in price of each three hours (UTC) up to now, at most 56: a sparkline of 7 days, oldest first. null where nothing was for sale.',
    }),
    zone: z
      .object({
        name: z.string(),
        get_in: dollars,
        get_in_change_24h_percent: z.number().nullable(),
        get_in_week: z.array(dollars),
      })
      .nullable()
      .meta({
        description:
          'The same prices of the zone that the nearest rule is about. Its past is there from the first poll after the rule was made. null: the rule is about the whole event, or about listings.',
      }),
    listings: z
      .int()
      .nullable()
      .meta({ description: 'Active listings of the event at the newest stats' }),
    data_as_of: time.meta({ description: 'When the newest snapshot was taken' }),
    next_poll_at: time,
    last_alert: lastAlertSchema,
    cost_pulls: z.number().meta({ description: 'Pulls that the watch has cost so far' }),
  })
  .meta({ id: 'ListedStanding', description: 'With `include=standing`' });

const deletionSchema = z
  .object({
    at: z.iso.datetime(),
    by: changedBySchema.nullable(),
    restorable_until: z.iso.datetime(),
  })
  .meta({ id: 'WatchDeletion', description: 'With `deleted=true`' });

/** A watch in a list. */
export const listedWatchJsonSchema = watchJsonSchema
  .extend({
    trouble: troubleListSchema,
    standing: listedStandingSchema.optional(),
    deleted: deletionSchema.optional(),
  })
  .meta({
    id: 'ListedWatch',
    description: 'A watch with its trouble, and its standing if asked for',
  });

const standingCount = (words: string) => z.int().nullable().meta({ description: words });

/** The numbers of watches in each state, and of those that need a look. */
export const stateCountsSchema = z
  .object({
    ...Object.fromEntries(watchStates.map((state) => [state, z.int()])),
    near: standingCount(`As many as \`near_percent\` finds, with ${nearByDefault} by default`),
    fired_today: standingCount('With an alert since midnight, by the owner’s time zone'),
    in_trouble: standingCount(
      'With an unexpected trouble: silent or late, and neither paused, snoozed nor ended',
    ),
  })
  .meta({
    id: 'WatchCounts',
    description:
      'The numbers of watches under all filters but `state`, `trouble`, `near_percent` and `fired_since`. Near, fired today and in trouble are null where neither the order nor a filter needs the standing of every watch: use `sort=closeness`.',
  });

/** The counts as JSON; `today` is when the owner's day began, epoch milliseconds. */
export function countsJson(
  { counts, standings }: Pick<StandingPage, 'counts' | 'standings'>,
  today: number,
) {
  return {
    ...counts,
    near: standings?.near ?? null,
    fired_today: standings?.firedSince(today) ?? null,
    in_trouble: standings?.inTrouble ?? null,
  };
}

/** A watch with its troubles. */
export function listedWatchJson(watch: CurrentWatch, troubles: readonly Trouble[]) {
  return { ...watchJson(watch), trouble: [...troubles] };
}

/** A deleted watch, with the status that it has when it is restored. */
export function deletedWatchJson(watch: CurrentWatch): z.infer<typeof listedWatchJsonSchema> {
  const { removedAt = watch.updatedAt, changedBy } = watch;
  const until = restorableUntil({ removedAt }) ?? 0;
  return {
    ...listedWatchJson(watch, []),
    deleted: { at: removedAt, by: changedByJson(changedBy), restorable_until: iso(until) ?? '' },
  };
}

/** A watch with its troubles and its standing; `now` is epoch milliseconds. */
export function standingRowJson(
  { watch, state, standing, recent }: WholeRow,
  now: number,
): z.infer<typeof listedWatchJsonSchema> {
  const { rules, dataAsOf, listings, nextPollAt, lastAlert, cost, troubles } = standing;
  const nearest = nearestOf(rules);
  return {
    ...listedWatchJson(watch, troubles),
    standing: {
      state,
      rules: rules.map((rule) => ({ id: rule.ruleId, ...ruleStandingJson(rule) })),
      nearest_rule: nearest?.rule.ruleId ?? null,
      distance_percent: nearest ? Math.max(0, nearest.share) / 100 : null,
      ...pricesJson(recent.event && lineUntil(recent.event, now)),
      zone: zoneJson(recent.zone, now),
      listings,
      data_as_of: iso(dataAsOf),
      next_poll_at: iso(nextPollAt),
      last_alert: lastAlertJson(lastAlert),
      cost_pulls: cost.pulls,
    },
  };
}

function zoneJson(zone: WholeRow['recent']['zone'], now: number) {
  if (!zone) return null;
  const { name, cents, line } = zone;
  const { get_in_hourly: _, ...prices } = pricesJson(line && lineUntil(line, now));
  return { name, ...prices, get_in: cents === null ? null : cents / 100 };
}

function pricesJson(recent: PriceLine | undefined) {
  const cents = recent?.cents ?? [];
  const last = cents.at(-1) ?? 0;
  const before = recent ? priceDayBefore(recent) : 0;
  const change = last === 0 || before === 0 ? null : (last - before) / before;
  return {
    get_in: inDollars(last),
    get_in_change_24h_percent: change === null ? null : Math.round(change * 10_000) / 100,
    get_in_hourly: cents.map(inDollars),
    get_in_week: recent ? weekOf(recent).map(inDollars) : [],
  };
}

/** No price is 0. */
function inDollars(cents: number): number | null {
  return cents === 0 ? null : cents / 100;
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
