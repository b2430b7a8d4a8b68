// What each event has cost, by the ledger, and what it will cost, by its feeds: the most expensive first.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import { forecastFeed } from '#shared/polling/fleet.ts';
import { ledgerDay } from '#shared/polling/pull.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';

/** The cost of one event. */
export interface EventCost {
  eventId: number;
  facts: EventFacts | undefined;
  /** Spent today (UTC), and in the billing period. */
  spentToday: number;
  spentPeriod: number;
  /** Forecast until the period ends, without what is already spent. */
  forecastPeriod: number;
  nextPollAt: number | null;
  nextReason: string | null;
  /** Why that time is worth a pull, in words; null unless the budget gave the time. */
  nextWhy: string | null;
}

interface Spent {
  today: number;
  period: number;
}

/** Number of events listed. */
const mostEvents = 200;

/** Where a day and a billing period begin, epoch milliseconds. */
interface Spans {
  dayStart: number;
  periodStart: number;
}

/** The pulls of each event today and in the period; closed days are read from their sums. */
export async function spentByEvent(
  { pulls }: Pick<Stores, 'pulls'>,
  { dayStart, periodStart }: Spans,
  now: number,
): Promise<Map<number, Spent>> {
  const spent = new Map<number, Spent>();
  const of = (eventId: number): Spent => {
    const known = spent.get(eventId) ?? { today: 0, period: 0 };
    spent.set(eventId, known);
    return known;
  };
  const today = ledgerDay(dayStart);
  const isNewPeriod = periodStart > dayStart;
  await pulls.days(periodStart, now, {
    eachEvent: (day, eventId, count) => {
      const row = of(eventId);
      row.period += count;
      if (day === today && !isNewPeriod) row.today += count;
    },
  });
  if (!isNewPeriod) return spent;
  // The period began in the middle of today, so today has more than the period.
  await pulls.days(dayStart, now, {
    eachEvent: (_day, eventId, count) => {
      of(eventId).today += count;
    },
  });
  return spent;
}

type EventCostStores = Pick<Stores, 'feeds' | 'eventFacts'>;
type ForecastTerms = Parameters<typeof forecastFeed>[1];

/**
 * The most expensive events. Of a fleet that was not read as a whole (`isWhole`), the feeds of the events that have
 * spent most are read here, so that no event is left out which has cost much.
 */
export async function eventCosts(
  stores: EventCostStores,
  spent: ReadonlyMap<number, Spent>,
  { feeds, isWhole, terms }: { feeds: readonly Feed[]; isWhole: boolean; terms: ForecastTerms },
): Promise<EventCost[]> {
  const feedsOf = new Map(Map.groupBy(feeds, ({ eventId }) => eventId));
  const costly = [...spent].sort(([, a], [, b]) => b.period - a.period).slice(0, mostEvents);
  if (!isWhole)
    await readFeedsOf(
      stores,
      costly.map(([eventId]) => eventId),
      feedsOf,
    );
  const ids = isWhole ? new Set([...spent.keys(), ...feedsOf.keys()]) : feedsOf.keys();
  const costs = [...ids].map((eventId) => {
    const own = feedsOf.get(eventId) ?? [];
    const next = [...own].sort((a, b) => (a.nextPollAt ?? 0) - (b.nextPollAt ?? 0))[0];
    const { today = 0, period = 0 } = spent.get(eventId) ?? {};
    return {
      ...{ eventId, spentToday: today, spentPeriod: period },
      forecastPeriod: Math.ceil(own.reduce((sum, feed) => sum + forecastFeed(feed, terms), 0)),
      nextPollAt: next?.nextPollAt ?? null,
      nextReason: next?.nextReason ?? null,
      nextWhy: next?.nextWhy ?? null,
    };
  });
  costs.sort((a, b) => b.spentPeriod + b.forecastPeriod - a.spentPeriod - a.forecastPeriod);
  const listed = costs.slice(0, mostEvents).map(async (cost) => ({
    ...cost,
    facts: await stores.eventFacts.find(cost.eventId),
  }));
  return Promise.all(listed);
}

/** An event whose feeds are not active costs nothing more. */
async function readFeedsOf(
  { feeds }: EventCostStores,
  eventIds: readonly number[],
  known: Map<number, Feed[]>,
): Promise<void> {
  const unknown = eventIds.filter((eventId) => !known.has(eventId));
  const found = await Promise.all(
    unknown.map((eventId) => Promise.all(feedKinds.map((kind) => feeds.find(eventId, kind)))),
  );
  unknown.forEach((eventId, index) => {
    const own = (found[index] ?? []).filter((feed) => feed?.status === 'active');
    known.set(eventId, own as Feed[]);
  });
}
