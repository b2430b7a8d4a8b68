// One event: its facts, newest numbers, and history. Market data is stored once for
// all owners, so every key may read it; no answer says who watches an event.
import * as z from 'zod';
import type { Stores } from '#shared/dynamo/stores.ts';
import { countOfDay } from '#shared/polling/day-count.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { type MetricName, metricNames } from '#shared/rules/metric.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { ApiDeps } from '../api-deps.ts';
import { amountOf, valueIn } from '../events/chart-numbers.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';
import { invalidFaults, notFound } from '../problem.ts';
import { timeParam } from '../query-params.ts';
import { eventParams, eventTag } from './event-params.ts';

const tag = eventTag;
const dayMs = 86_400_000;

const amounts = z
  .record(z.string(), z.number().nullable())
  .meta({ description: 'By metric; dollars, counts, or percent; null for no value' });

const snapshotSchema = z
  .object({ observed_at: z.iso.datetime(), metrics: amounts, zones: z.record(z.string(), amounts) })
  .meta({ id: 'Snapshot', description: 'An event’s prices and supply at one time' });

const pollingSchema = z
  .object({
    looked_at: z.iso.datetime().nullable().meta({ description: 'The last look that was answered' }),
    looks_today: z.int().meta({ description: 'Answered looks of the UTC day, paid or not' }),
    pulls_today: z
      .number()
      .meta({ description: 'Pulls that they cost, for all owners who watch the event' }),
  })
  .meta({ id: 'EventPolling', description: 'How often we looked at the event’s stats' });

export const eventSchema = z
  .object({
    event_id: z.int(),
    event_name: z.string().nullable(),
    event_date: z.string().nullable(),
    event_time: z.string().nullable().meta({ description: 'At the venue' }),
    venue_name: z.string().nullable(),
    venue_city: z.string().nullable(),
    venue_time_zone: z.string().nullable().meta({ description: 'Its IANA time zone' }),
    starts_at: z.iso.datetime().nullable(),
    polling: pollingSchema.nullable().meta({ description: 'null if it was never polled' }),
    latest: snapshotSchema.nullable().meta({ description: 'null while nothing is stored' }),
  })
  .meta({ id: 'EventDetail', description: 'One event with its newest numbers' });

const historyQuerySchema = z.strictObject({
  ...pageParams,
  metric: z.enum(metricNames).default('get_in'),
  zone: z.string().trim().min(1).max(200).optional(),
  from: timeParam.optional().meta({ description: 'Default: 7 days before `to`' }),
  to: timeParam.optional().meta({ description: 'Default: now' }),
});

const pointSchema = z
  .object({ observed_at: z.iso.datetime(), value: z.number().nullable() })
  .meta({ id: 'HistoryPoint' });

/** A position in a history: epoch milliseconds. */
const historyPlace = /^\d{1,15}$/;

/** One event, and its history. */
export function eventDetailOperations({ stores }: ApiDeps): Operation[] {
  return [detailOperation(stores), historyOperation(stores)];
}

function detailOperation(stores: Stores) {
  return defineOperation({
    method: 'get',
    path: '/v1/events/{event_id}',
    tag,
    summary: 'One event with its newest numbers',
    description: 'Returns stored data and causes no poll.',
    access: 'read',
    params: eventParams,
    answer: { status: 200, description: 'The event', schema: eventSchema },
    handle: async ({ params: { event_id: eventId }, now }) => {
      const [facts, newest, feed] = await Promise.all([
        stores.eventFacts.find(eventId),
        stores.snapshots.newest({ eventId, kind: metricsFeed }),
        stores.feeds.find(eventId, metricsFeed),
      ]);
      const latest = newest?.feedKind === metricsFeed ? newest : undefined;
      if (!facts && !latest) throw notFound('event');
      return {
        body: {
          ...factsJson(eventId, facts),
          polling: feed ? pollingJson(feed, now) : null,
          latest: latest ? snapshotJson(latest) : null,
        },
      };
    },
  });
}

function historyOperation({ snapshots }: Stores) {
  return defineOperation({
    method: 'get',
    path: '/v1/events/{event_id}/history',
    tag,
    summary: 'Stored values of one metric of an event',
    description:
      'Every stored snapshot of a time range, oldest first. Snapshots are kept for 90 days.',
    access: 'read',
    params: eventParams,
    query: historyQuerySchema,
    answer: {
      status: 200,
      description: 'A page of values',
      schema: pageSchema('HistoryPage', pointSchema),
    },
    handle: async ({ params: { event_id: eventId }, query, now }) => {
      const { metric, zone, to = now } = query;
      const { limit, after } = pageRequest(query, historyPlace);
      const from = query.from ?? to - 7 * dayMs;
      if (from > to) {
        const detail = 'must not be after `to`, whose default is now';
        throw invalidFaults([{ pointer: '#/from', detail }]);
      }
      const start = after === undefined ? from - 1 : Math.max(from - 1, Number(after));
      const found = await snapshots.after({ eventId, kind: metricsFeed }, start, limit + 1);
      const inTime = found.filter(({ observedAt }) => observedAt <= to);
      const rows = inTime.slice(0, limit);
      const last = rows.at(-1);
      const page =
        inTime.length > limit && last ? { rows, next: String(last.observedAt) } : { rows };
      return {
        body: pageJson(page, (snapshot) => ({
          observed_at: new Date(snapshot.observedAt).toISOString(),
          value:
            snapshot.feedKind === metricsFeed
              ? amountOf(metric, valueIn(snapshot, { metric, zone: zone ?? null }))
              : null,
        })),
      };
    },
  });
}

function factsJson(eventId: number, facts: EventFacts | undefined) {
  const startsAt = facts?.startsAt;
  return {
    event_id: eventId,
    event_name: facts?.name ?? null,
    event_date: facts?.date ?? null,
    event_time: facts?.time ?? null,
    venue_name: facts?.venueName ?? null,
    venue_city: facts?.venueCity ?? null,
    venue_time_zone: facts?.timeZone ?? null,
    starts_at: startsAt === undefined ? null : new Date(startsAt).toISOString(),
  };
}

function pollingJson({ lastPolledAt, dayCount }: Feed, now: number) {
  const { looks, pulls } = countOfDay(dayCount, now);
  return {
    looked_at: lastPolledAt === undefined ? null : new Date(lastPolledAt).toISOString(),
    looks_today: looks,
    pulls_today: pulls,
  };
}

function snapshotJson({ observedAt, metrics, zones }: MarketSnapshot) {
  return {
    observed_at: new Date(observedAt).toISOString(),
    metrics: amountsJson(metrics),
    zones: Object.fromEntries(
      Object.entries(zones).map(([zone, prices]) => [zone, amountsJson(prices)]),
    ),
  };
}

function amountsJson(metrics: Partial<Record<MetricName, number | null>>) {
  return Object.fromEntries(
    metricNames
      .filter((metric) => metric in metrics)
      .map((metric) => [metric, amountOf(metric, metrics[metric] ?? null)]),
  );
}
