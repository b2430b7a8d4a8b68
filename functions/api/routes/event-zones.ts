// The zones of an event: what each costs now, and where that stands among its own prices.
import * as z from 'zod';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { type PriceMetricName, priceMetricNames } from '#shared/rules/metric.ts';
import type { PriceDay } from '#shared/rules/price-day.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { DAY_MS, HOUR_MS } from '#shared/rules/window.ts';
import type { ApiDeps } from '../api-deps.ts';
import { amountOf, valueIn } from '../events/chart-numbers.ts';
import { positionOf } from '../events/price-position.ts';
import { mostDayPages } from '../events/read-series.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { notFound } from '../problem.ts';
import { eventParams, eventTag } from './event-params.ts';

/** No venue has nearly as many; names that a market makes up are cut off. */
const mostZones = 500;

const dollars = z.number().nullable();

function forEachPrice<Value>(make: (metric: PriceMetricName) => Value) {
  const made = priceMetricNames.map((metric) => [metric, make(metric)]);
  return Object.fromEntries(made) as Record<PriceMetricName, Value>;
}

const rowSchema = z
  .object({
    zone: z.string().nullable().meta({ description: 'null: the whole event' }),
    ...forEachPrice(() => dollars),
    get_in_change_24h_percent: z
      .number()
      .nullable()
      .meta({ description: 'Since 24 hours ago; null while less is known' }),
    get_in_week: z.array(dollars).meta({
      description:
        'The last get-in price of each three hours (UTC) up to now, at most 56, oldest first: a sparkline of 7 days. null where nothing was for sale.',
    }),
    get_in_30_days: z
      .object({
        low: z.number(),
        high: z.number(),
        lower_percent: z.number().nullable().meta({
          description:
            'The percent of the hours in which the price was lower than now, with half of those in which it was the same: at 9, it is among its lowest 9 %. null while nothing is for sale.',
        }),
        known_from: z.iso.datetime().meta({ description: 'The first hour with a price' }),
      })
      .nullable()
      .meta({ description: 'Its prices of 30 days; null if it had none' }),
  })
  .meta({ id: 'ZonePosition' });

export const eventZonesSchema = z
  .object({
    event_id: z.int(),
    data_as_of: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the newest snapshot was taken' }),
    zones: z.array(rowSchema).meta({
      description: `The whole event, then its zones of the last 30 days, the most expensive first; those without a listing last. At most ${mostZones} zones.`,
    }),
  })
  .meta({ id: 'EventZones' });

/** `GET /v1/events/{event_id}/zones`. */
export function eventZonesOperation({ stores }: ApiDeps): Operation {
  return defineOperation({
    method: 'get',
    path: '/v1/events/{event_id}/zones',
    tag: eventTag,
    summary: 'Each zone’s price, and where it stands in its 30 days',
    description:
      'One request for all zones, from the stored hours. Zones have no numbers of listings: the marketplace counts those for the event. Returns stored data and causes no poll.',
    access: 'read',
    params: eventParams,
    answer: { status: 200, description: 'The event and its zones', schema: eventZonesSchema },
    handle: async ({ params: { event_id: eventId }, knows, now }) => {
      const feed = await stores.feeds.find(eventId, metricsFeed);
      // Stored data changes with a poll only, and what is counted back from now by the hour.
      const version = feed?.lastPolledAt && `${feed.lastPolledAt}-${Math.floor(now / HOUR_MS)}`;
      if (version && knows(version)) return { version, isKnown: true };
      const [newest, { days }, facts] = await Promise.all([
        newestOf(stores, eventId, feed),
        stores.priceDays.read(eventId, { from: now - 30 * DAY_MS, to: now }, mostDayPages),
        feed ? undefined : stores.eventFacts.find(eventId),
      ]);
      if (!feed && !newest && !facts) throw notFound('event');
      const body: z.infer<typeof eventZonesSchema> = {
        event_id: eventId,
        data_as_of: newest ? iso(newest.observedAt) : null,
        zones: rowsOf(newest, days, now),
      };
      return { body, ...(version && { version }) };
    },
  });
}

/** The feed names its newest snapshot, so that it is read by its key. */
async function newestOf(
  { snapshots }: Pick<Stores, 'snapshots'>,
  eventId: number,
  feed: Feed | undefined,
): Promise<MarketSnapshot | undefined> {
  const key = { eventId, kind: metricsFeed } as const;
  const at = feed?.lastSnapshotAt;
  const named = at === undefined ? undefined : await snapshots.at(key, at);
  const found = named ?? (await snapshots.newest(key));
  return found?.feedKind === metricsFeed ? found : undefined;
}

type Row = z.infer<typeof rowSchema>;

function rowsOf(newest: MarketSnapshot | undefined, days: readonly PriceDay[], now: number): Row[] {
  const names = new Set([
    ...Object.keys(newest?.zones ?? {}),
    ...days.flatMap(({ zones }) => [...zones.keys()]),
  ]);
  const priceOf = (zone: string) => (newest && valueIn(newest, { metric: 'get_in', zone })) ?? -1;
  const shown = [...names].sort((a, b) => priceOf(b) - priceOf(a)).slice(0, mostZones);
  const row = (zone: string | null) => rowOf(zone, { newest, days, now });
  return newest || days.length > 0 ? [null, ...shown].map(row) : [];
}

function rowOf(
  zone: string | null,
  {
    newest,
    days,
    now,
  }: { newest: MarketSnapshot | undefined; days: readonly PriceDay[]; now: number },
): Row {
  const number = { metric: 'get_in', zone } as const;
  const current = newest ? valueIn(newest, number) : null;
  const { dayBefore, week, month } = positionOf(days, number, { current, now });
  const inDollars = (cents: number | null) => amountOf('get_in', cents);
  const price = (metric: PriceMetricName) =>
    amountOf(metric, newest ? valueIn(newest, { metric, zone }) : null);
  const change = current !== null && dayBefore ? (current - dayBefore) / dayBefore : null;
  return {
    zone,
    ...forEachPrice(price),
    get_in_change_24h_percent: change === null ? null : Math.round(change * 10_000) / 100,
    get_in_week: week.map(inDollars),
    get_in_30_days: month
      ? {
          low: month.low / 100,
          high: month.high / 100,
          lower_percent: month.lowerPercent,
          known_from: iso(month.from),
        }
      : null,
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
