// What the watches of a file would cost together: each feed is polled once for all of them, as often as the fastest
// wants. A large file is forecast lot by lot.
import * as z from 'zod';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { flatValue } from '../budget/read-budget.ts';
import type { ReadForecast } from './forecast-watch.ts';

const dayMs = 86_400_000;
/** Events that are read together. */
const eventsAtOnce = 25;

/** A feed that a watch of the file would want. */
export interface FileFeed {
  eventId: number;
  kind: FeedKind;
  latencySeconds: number;
}

/** The feeds that lots before have asked for: the shortest latency of each, by `feedName`. */
export type AskedFeeds = ReadonlyMap<string, number>;

export function feedName({ eventId, kind }: Pick<FileFeed, 'eventId' | 'kind'>): string {
  return `${eventId} ${kind}`;
}

/** The cost of one lot, in pulls beyond those of the stored watches and the lots before. */
export interface LotCost {
  pullsPerDay: number;
  pullsUntilEvents: number;
  /** Events whose date is unknown: their pulls are in no total until the events. */
  undated: number[];
  isKnown: boolean;
  /** The feeds of the lot, each with its shortest latency. */
  feeds: FileFeed[];
}

/** @returns a function that forecasts one lot; `now` is epoch milliseconds. */
export function createForecastFile(readForecast: ReadForecast) {
  return async function forecastLot(
    wanted: readonly FileFeed[],
    asked: AskedFeeds,
    now: number,
  ): Promise<LotCost> {
    const feeds = strongestOf(wanted);
    const byEvent = [...Map.groupBy(feeds, ({ eventId }) => eventId)];
    const parts = await inLots(byEvent, eventsAtOnce, async ([eventId, own]) => {
      const { forecastFeed, endsAt } = await readForecast(eventId);
      const perDay = own.map(({ kind, latencySeconds }) => {
        const before = asked.get(feedName({ eventId, kind })) ?? Number.POSITIVE_INFINITY;
        const after = forecastFeed(kind, Math.min(before, latencySeconds));
        const had = Number.isFinite(before) ? forecastFeed(kind, before).addedAtMost : 0;
        return { pulls: Math.max(0, after.addedAtMost - had), isKnown: after.isKnown };
      });
      const pullsPerDay = perDay.reduce((sum, { pulls }) => sum + pulls, 0);
      const days = endsAt === null ? 0 : Math.max(0, endsAt - now) / dayMs;
      return {
        ...{ pullsPerDay, pullsUntilEvents: Math.ceil(pullsPerDay * days) },
        undated: endsAt === null ? [eventId] : [],
        isKnown: perDay.every((each) => each.isKnown),
      };
    });
    return {
      pullsPerDay: parts.reduce((sum, each) => sum + each.pullsPerDay, 0),
      pullsUntilEvents: parts.reduce((sum, each) => sum + each.pullsUntilEvents, 0),
      undated: parts.flatMap((each) => each.undated),
      isKnown: parts.every((each) => each.isKnown),
      feeds,
    };
  };
}

/** Each feed once, with its shortest latency. */
function strongestOf(wanted: readonly FileFeed[]): FileFeed[] {
  return [...Map.groupBy(wanted, feedName).values()].flatMap(([first, ...others]) =>
    first ? [others.reduce((a, b) => (b.latencySeconds < a.latencySeconds ? b : a), first)] : [],
  );
}

const pulls = z.number().meta({ description: 'Extra pulls for the whole account' });
const dollars = z.number().meta({ description: 'The extra pulls in dollars, at $0.015 each' });

export const fileCostSchema = z
  .object({
    pulls_per_day_added: pulls,
    flat_value_per_day: dollars,
    until_events: z
      .object({
        pulls_added: pulls,
        flat_value: dollars,
        events_without_date: z.int().meta({
          description: 'Events whose date is unknown; their pulls are not in this total',
        }),
      })
      .meta({ description: 'Until each event starts, or its date ends' }),
    is_upper_bound: z.boolean().meta({ description: 'Whether the pace of a market is unknown' }),
  })
  .meta({
    id: 'FileCost',
    description:
      'What the new and the changed watches of a file would cost together, beyond the watches that are there. Watches on one event share its pulls.',
  });

export type FileCost = z.infer<typeof fileCostSchema>;

/** The cost of a file after a further lot. @param undated the events without a date in this lot that no lot before had. */
export function addCost(
  before: FileCost | undefined,
  { pullsPerDay, pullsUntilEvents, isKnown }: LotCost,
  undated: number,
): FileCost {
  const { until_events: until } = before ?? {};
  const perDay = roundUp((before?.pulls_per_day_added ?? 0) + pullsPerDay);
  const pullsAdded = (until?.pulls_added ?? 0) + pullsUntilEvents;
  return {
    pulls_per_day_added: perDay,
    flat_value_per_day: flatValue(perDay),
    until_events: {
      pulls_added: pullsAdded,
      flat_value: flatValue(pullsAdded),
      events_without_date: (until?.events_without_date ?? 0) + undated,
    },
    is_upper_bound: (before?.is_upper_bound ?? false) || !isKnown,
  };
}

/** To a hundredth; sums of hundredths are not exact. */
function roundUp(value: number): number {
  return Math.ceil(value * 100 - 1e-6) / 100;
}
