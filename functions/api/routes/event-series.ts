// Several numbers of an event over time, in columns that a chart takes as they are.
import * as z from 'zod';
import { thinRows } from '#shared/charts/thin-rows.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { metricNames } from '#shared/rules/metric.ts';
import type { ApiDeps } from '../api-deps.ts';
import { amountOf, type ChartNumber, chartNumbers, unitOf } from '../events/chart-numbers.ts';
import { mostLooks, readLooks } from '../events/read-looks.ts';
import { type FoundSeries, rawSpanMs, readSeries } from '../events/read-series.ts';
import { filterMark } from '../filtered-page.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { invalidFaults, notFound } from '../problem.ts';
import { timeParam, wholeNumberParam } from '../query-params.ts';
import { eventParams, eventTag } from './event-params.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The ranges that end now: their length, and the steps in which their beginning moves, so that answers repeat. */
const spans = {
  '24h': { ms: dayMs, stepMs: 2 * minuteMs },
  '3d': { ms: 3 * dayMs, stepMs: 5 * minuteMs },
  '7d': { ms: 7 * dayMs, stepMs: 15 * minuteMs },
  '30d': { ms: 30 * dayMs, stepMs: hourMs },
  '90d': { ms: 90 * dayMs, stepMs: 3 * hourMs },
  all: { ms: 730 * dayMs, stepMs: dayMs },
} as const;
type Span = keyof typeof spans;

/** Their names fit into an address, whatever letters they have. */
const mostZones = 6;
const mostRows = 600;
/** Enough for any range of all metrics in so many zones. */
const fewestRows = 100;

const querySchema = z.strictObject({
  metric: z
    .array(z.enum(metricNames))
    .min(1)
    .max(metricNames.length)
    .default(['get_in'])
    .meta({ description: 'May be given several times', examples: [['get_in', 'median_price']] }),
  zone: z
    .array(z.string().trim().min(1).max(200))
    .max(mostZones)
    .default([])
    .meta({
      description: `May be given several times, up to ${mostZones}: the price metrics of these zones in place of the event’s`,
      examples: [['Lower Bowl']],
    }),
  span: z
    .enum(Object.keys(spans) as [Span])
    .optional()
    .meta({
      description:
        'A range that ends now; all: two years. Without it and `from`, 7d. With it, a repeated request gets the same answer until there is something new.',
    }),
  from: timeParam
    .optional()
    .meta({ description: 'In place of `span`. Default: 7 days before `to`' }),
  to: timeParam.optional().meta({ description: 'In place of `span`. Default: now' }),
  points: wholeNumberParam(fewestRows, mostRows)
    .default(mostRows)
    .meta({
      ...{ description: 'The most times in the answer', type: 'integer' },
      ...{ minimum: fewestRows, maximum: mostRows, default: mostRows },
    }),
  include: z.enum(['looks']).optional().meta({
    description: 'looks: when we looked, and what was paid; for a range of at most 3 days',
  }),
});

type Query = z.infer<typeof querySchema>;

const seconds = z.array(z.number()).meta({ description: 'Unix time in seconds, ascending' });

export const eventSeriesSchema = z
  .object({
    event_id: z.int(),
    from: z.iso.datetime().meta({ description: 'The beginning of the range' }),
    raw_from: z.iso.datetime().nullable().meta({
      description:
        'From this time on each time is that of one snapshot. Before it, an hour has one to three times: its last snapshot, and before that its extremes in their order, at a time within the hour. null: all are of hours.',
    }),
    cut_before: z.iso.datetime().nullable().meta({
      description:
        'What is stored before this time was not read, because one request reads a limited amount; ask for an earlier range. null: everything was read.',
    }),
    times: seconds,
    series: z.array(
      z
        .object({
          metric: z.enum(metricNames),
          zone: z.string().nullable().meta({ description: 'null: the whole event' }),
          unit: z.enum(['dollars', 'count', 'percent']),
          values: z
            .array(z.number().nullable())
            .meta({ description: 'One for each of `times`; null where there was no value' }),
        })
        .meta({ id: 'ChartSeries' }),
    ),
    looks: z
      .object({
        times: seconds,
        snapshots: z.array(z.int()).meta({ description: 'New snapshots of each look' }),
        pulls: z.array(z.number()).meta({ description: 'Pulls that each look cost' }),
      })
      .nullable()
      .meta({
        description: `With \`include=looks\`: the newest ${mostLooks} polls that brought a snapshot or cost a pull`,
      }),
  })
  .meta({ id: 'EventSeries', description: 'Several numbers of an event over time, in columns' });

const description = `Each time has the values of all numbers. Of more times than \`points\` those are kept at which a number is at its lowest or its highest within a part of the range, so that the chart of 600 times looks as that of 60,000, and no extreme of any number is missing. Times between two at which nothing changed are left out: a value holds until the next time. A range of at most 3 days is made of snapshots, which are kept for 90 days; a longer one of hours, which are kept for 2 years. Prices are as the market listed them: a single mis-keyed listing shows as a spike. Returns stored data and causes no poll.`;

/** `GET /v1/events/{event_id}/series`. */
export function eventSeriesOperation({ stores }: ApiDeps): Operation {
  return defineOperation({
    method: 'get',
    path: '/v1/events/{event_id}/series',
    tag: eventTag,
    summary: 'Several numbers of an event over time, for a chart',
    description,
    access: 'read',
    params: eventParams,
    query: querySchema,
    repeats: ['metric', 'zone'],
    answer: { status: 200, description: 'The numbers in columns', schema: eventSeriesSchema },
    handle: async ({ params: { event_id: eventId }, query, knows, now }) => {
      const numbers = chartNumbers([...new Set(query.metric)], [...new Set(query.zone)]);
      const range = rangeOf(query, now);
      const feed = await stores.feeds.find(eventId, metricsFeed);
      const isKnownEvent = feed !== undefined || (await stores.eventFacts.find(eventId));
      // Stored data changes with a poll only, and the range's beginning by its steps.
      const version =
        feed?.lastPolledAt && `${feed.lastPolledAt}-${range.from}-${filterMark(query)}`;
      if (version && knows(version)) return { version, isKnown: true };
      const found = await readSeries(stores, { eventId, numbers, ...range }, now);
      if (found.rows.length === 0 && !isKnownEvent) throw notFound('event');
      const looks = query.include && (await readLooks(stores, found.looks, { eventId, ...range }));
      const body: z.infer<typeof eventSeriesSchema> = {
        ...{ event_id: eventId, from: iso(range.from) ?? '' },
        ...columnsOf(found, numbers, query.points),
        looks: looks
          ? {
              times: looks.map(({ at }) => at / 1_000),
              snapshots: looks.map(({ snapshots }) => snapshots),
              pulls: looks.map(({ pulls }) => pulls),
            }
          : null,
      };
      return { body, ...(version && { version }) };
    },
  });
}

/** @throws ProblemError for a range that is given twice, empty, or too long for looks. */
function rangeOf({ span, from, to, include }: Query, now: number): { from: number; to: number } {
  const refuse = (pointer: string, detail: string) => invalidFaults([{ pointer, detail }]);
  if (span !== undefined && (from !== undefined || to !== undefined)) {
    throw refuse('#/span', 'does not go with `from` and `to`');
  }
  const range = from === undefined && to === undefined ? spanOf(span ?? '7d', now) : { from, to };
  const until = Math.min(range.to ?? now, now);
  const since = range.from ?? until - spans['7d'].ms;
  if (since > until) throw refuse('#/from', 'must be before `to`, and in the past');
  if (include && until - since > rawSpanMs) {
    throw refuse('#/include', 'looks goes with a range of at most 3 days, such as span=24h');
  }
  return { from: since, to: until };
}

function spanOf(span: Span, now: number): { from: number; to: number } {
  const { ms, stepMs } = spans[span];
  return { from: Math.floor((now - ms) / stepMs) * stepMs, to: now };
}

function columnsOf(
  { rows, rawFrom, cutBefore }: FoundSeries,
  numbers: readonly ChartNumber[],
  points: number,
) {
  const kept = thinRows(rows, points);
  return {
    raw_from: iso(rawFrom),
    cut_before: iso(cutBefore),
    times: kept.map(({ at }) => at / 1_000),
    series: numbers.map(({ metric, zone }, index) => ({
      ...{ metric, zone, unit: unitOf(metric) },
      values: kept.map(({ values }) => amountOf(metric, values[index] ?? null)),
    })),
  };
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
