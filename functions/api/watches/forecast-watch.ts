// Forecasts the cost of a new watch from the current state of its feeds.

import type { Stores } from '#shared/dynamo/stores.ts';
import { type BillingAssumptions, isFreeWhenQuiet } from '#shared/polling/assumptions.ts';
import { type FeedKind, feedKinds } from '#shared/polling/feed-kinds.ts';
import {
  forecastSubscription,
  sumForecasts,
  type WatchForecast,
} from '#shared/polling/watch-forecast.ts';
import { feedsWantedBy, type Watch } from '#shared/watchlist/watch.ts';

interface ForecastWatchDeps {
  stores: Pick<Stores, 'feeds' | 'wishes' | 'marketState'>;
  assumptions: BillingAssumptions;
}

/**
 * Reads the state of an event's feeds. The answer forecasts a watch on it, whether the watch was stored before the
 * read or after it: its own subscriptions don't count as others'.
 */
export type ReadForecast = (eventId: number) => Promise<(watch: Watch) => WatchForecast>;

export function createReadForecast({ stores, assumptions }: ForecastWatchDeps): ReadForecast {
  return async function readForecast(eventId) {
    const readFeed = async (kind: FeedKind) => {
      const key = { eventId, kind };
      const [feed, wishes] = await Promise.all([
        stores.feeds.find(eventId, kind),
        stores.wishes.of(key),
      ]);
      return { feed, wishes };
    };
    const [{ plan }, ...found] = await Promise.all([
      stores.marketState.read(),
      ...feedKinds.map(readFeed),
    ]);
    const freeWhenQuiet = isFreeWhenQuiet(plan, assumptions);
    const known = new Map(feedKinds.map((kind, index) => [kind, found[index]]));

    return function forecastWatch(watch) {
      const parts = feedsWantedBy(watch).map(({ kind, latencySeconds }) => {
        const { feed, wishes = [] } = known.get(kind) ?? {};
        const others = wishes.filter(({ watchId }) => watchId !== watch.watchId);
        const [strongest] = others;
        const before = feed && { ...feed, latencySeconds: strongest?.latencySeconds ?? 0 };
        return forecastSubscription({
          ...{ feed: before, latencySeconds, watches: others.length, freeWhenQuiet },
        });
      });
      return sumForecasts(parts);
    };
  };
}
