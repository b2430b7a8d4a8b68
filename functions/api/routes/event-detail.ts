// One event: its facts, newest numbers, and history. Market data is stored once for
// all owners, so every key may read it; no answer says who watches an event.
import * as z from 'zod';
import type { Stores } from '#shared/dynamo/stores.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { METRICS, type MetricName, metricNames, priceMetricNames } from '#shared/rules/metric.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';
import { invalidFaults, notFound } from '../problem.ts';
import { eventIdParam, timeParam } from '../query-params.ts';

const tag = 'Events';
const dayMs = 86_400_000;

const params = z.object({
  event_id: eventIdParam.meta({
    description: 'The event’s id at the marketplace (service event id)',
    type: 'integer',
    minimum: 1,
    examples: [exampleIds.event],
  }),
});

const amounts = z
  .record(z.string(), z.number().nullable())
  .meta({ description: 'By metric; dollars, counts, or percent; null for no value' });

const snapshotSchema = z
  .object({ observed_at: z.iso.datetime(), metrics: amounts, zones: z.record(z.string(), amounts) })
  .meta({ id: 'Snapshot', description: 'An event’s prices and supply at one time' });

const eventSchema = z
  .object({
    event_id: z.int(),
    event_name: z.string().nullable(),
    event_date: z.string().nullable(),
    event_time: z.string().nullable().meta({ description: 'At the venue' }),
    venue_name: z.string().nullable(),
    venue_city: z.string().nullable(),
    starts_at: z.iso.datetime().nullable(),
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
    params,
    answer: { status: 200, description: 'The event', schema: eventSchema },
    handle: async ({ params: { event_id: eventId } }) => {
      const [facts, newest] = await Promise.all([
        stores.eventFacts.find(eventId),
        stores.snapshots.newest({ eventId, kind: metricsFeed }),
      ]);
      const latest = newest?.feedKind === metricsFeed ? newest : undefined;
      if (!facts && !latest) throw notFound('event');
      return {
        body: { ...factsJson(eventId, facts), latest: latest ? snapshotJson(latest) : null },
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
    params,
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
          value: snapshot.feedKind === metricsFeed ? valueIn(snapshot, metric, zone) : null,
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
    starts_at: startsAt === undefined ? null : new Date(startsAt).toISOString(),
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

function valueIn(
  { metrics, zones }: MarketSnapshot,
  metric: MetricName,
  zone: string | undefined,
): number | null {
  if (zone === undefined) return amountOf(metric, metrics[metric]);
  const price = priceMetricNames.find((name) => name === metric);
  const prices = Object.hasOwn(zones, zone) ? zones[zone] : undefined;
  return price === undefined ? null : amountOf(metric, prices?.[price] ?? null);
}

/** Converts cents to dollars and basis points to percent; counts stay unchanged. */
function amountOf(metric: MetricName, value: number | null): number | null {
  if (value === null) return null;
  return METRICS[metric].unit === 'count' ? value : value / 100;
}
