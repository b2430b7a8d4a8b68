// What a bulk change does to the cost of polling: the pulls per day of each feed before and after it. A feed is polled
// once for all of its watches, as often as the fastest wants.
import * as z from 'zod';
import type { Stores } from '#shared/dynamo/stores.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import { type BillingAssumptions, isFreeWhenQuiet } from '#shared/polling/assumptions.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { forecastSubscription } from '#shared/polling/watch-forecast.ts';
import { feedsWantedBy, type Watch } from '#shared/watchlist/watch.ts';
import { flatValue } from '../../budget/read-budget.ts';

/** A watch before and after the change. */
export interface ChangedWatch {
  before: Watch;
  after: Watch;
}

/** Upper bounds in pulls per day of the feeds that change. */
export interface BulkCost {
  before: number;
  after: number;
}

interface BulkCostDeps {
  stores: Pick<Stores, 'feeds' | 'marketState' | 'subscriptions'>;
  assumptions: BillingAssumptions;
}

/** Feeds that are read together. */
const feedsAtOnce = 50;

export function createReadBulkCost({ stores, assumptions }: BulkCostDeps) {
  /** Reads only the feeds whose wishes change. */
  return async function readBulkCost(changed: readonly ChangedWatch[]): Promise<BulkCost> {
    const feeds = [...Map.groupBy(changed.flatMap(wishesOf), ({ feed }) => feed).values()];
    if (feeds.length === 0) return { before: 0, after: 0 };
    const { plan } = await stores.marketState.read();
    const freeWhenQuiet = isFreeWhenQuiet(plan, assumptions);
    const costs = await inLots(feeds, feedsAtOnce, (wishes) => costOf(wishes, freeWhenQuiet));
    return {
      before: hundredths(costs.reduce((sum, cost) => sum + cost.before, 0)),
      after: hundredths(costs.reduce((sum, cost) => sum + cost.after, 0)),
    };
  };

  async function costOf(wishes: readonly Wish[], freeWhenQuiet: boolean): Promise<BulkCost> {
    const [{ eventId, kind } = { eventId: 0, kind: 'stats' as FeedKind }] = wishes;
    const [feed, subscriptions] = await Promise.all([
      stores.feeds.find(eventId, kind),
      stores.subscriptions.of({ eventId, kind }),
    ]);
    const changing = new Set(wishes.map(({ watchId }) => watchId));
    const others = subscriptions
      .filter(({ watchId }) => !changing.has(watchId))
      .map(({ latencySeconds }) => latencySeconds);
    const perDay = (latencies: readonly (number | undefined)[]) => {
      const wanted = [...others, ...latencies.flatMap((each) => each ?? [])];
      if (wanted.length === 0) return 0;
      const latencySeconds = Math.min(...wanted);
      return forecastSubscription({ feed, latencySeconds, watches: 0, freeWhenQuiet }).addedAtMost;
    };
    return {
      before: perDay(wishes.map(({ before }) => before)),
      after: perDay(wishes.map(({ after }) => after)),
    };
  }
}

/** The latencies that a watch wants of a feed before and after; undefined for none. */
interface Wish {
  feed: string;
  eventId: number;
  kind: FeedKind;
  watchId: string;
  before: number | undefined;
  after: number | undefined;
}

function wishesOf({ before, after }: ChangedWatch): Wish[] {
  const { eventId, watchId } = before;
  const had = new Map(feedsWantedBy(before).map((feed) => [feed.kind, feed.latencySeconds]));
  const has = new Map(feedsWantedBy(after).map((feed) => [feed.kind, feed.latencySeconds]));
  return [...new Set([...had.keys(), ...has.keys()])].flatMap((kind) => {
    const wish = { before: had.get(kind), after: has.get(kind) };
    if (wish.before === wish.after) return [];
    return [{ feed: `${eventId} ${kind}`, eventId, kind, watchId, ...wish }];
  });
}

export const bulkCostSchema = z
  .object({
    pulls_per_day_before: z.number(),
    pulls_per_day_after: z.number(),
    pulls_per_day_change: z.number(),
    flat_value_per_day_change: z
      .number()
      .meta({ description: 'The change in dollars, at $0.015 a pull' }),
  })
  .meta({
    id: 'BulkCost',
    description:
      'Upper bounds of the cost, for the whole account, of the events whose polling would change. Watches on one event share its pulls.',
  });

export type BulkCostJson = z.infer<typeof bulkCostSchema>;

/** The cost as JSON, together with that of the lots before. */
export function bulkCostJson(cost: BulkCost, earlier?: BulkCostJson): BulkCostJson {
  const before = hundredths((earlier?.pulls_per_day_before ?? 0) + cost.before);
  const after = hundredths((earlier?.pulls_per_day_after ?? 0) + cost.after);
  const change = hundredths(after - before);
  return {
    pulls_per_day_before: before,
    pulls_per_day_after: after,
    pulls_per_day_change: change,
    flat_value_per_day_change: flatValue(change),
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
