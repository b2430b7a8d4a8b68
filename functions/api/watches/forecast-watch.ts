// Forecasts the cost of a watch, stored or not, from the current state of its event's feeds.

import type { Stores } from '#shared/dynamo/stores.ts';
import { type BillingAssumptions, isFreeWhenQuiet } from '#shared/polling/assumptions.ts';
import { type FeedKind, feedKinds } from '#shared/polling/feed-kinds.ts';
import {
  forecastSubscription,
  sumForecasts,
  type WatchForecast,
} from '#shared/polling/watch-forecast.ts';
import { pollingEndOf } from '#shared/watchlist/event-facts.ts';
import { feedsWantedBy } from '#shared/watchlist/watch.ts';

interface ForecastWatchDeps {
  stores: Pick<Stores, 'eventFacts' | 'feeds' | 'subscriptions' | 'marketState'>;
  assumptions: BillingAssumptions;
}

/** A watch that may not be stored yet. */
export type ForecastedWatch = Parameters<typeof feedsWantedBy>[0] & { watchId?: string };

/** What an event's feeds cost for a watch. */
export interface EventForecast {
  forecastWatch: (watch: ForecastedWatch) => WatchForecast;
  /** What a further subscription for one of its feeds would cost. */
  forecastFeed: (kind: FeedKind, latencySeconds: number) => WatchForecast;
  /** When polling ends, epoch milliseconds: the start of the event, or the end of its date; null while unknown. */
  endsAt: number | null;
}

/**
 * Reads the state of an event's feeds. The answer forecasts a watch on it, whether the watch was stored before the
 * read or after it: its own subscriptions don't count as others'.
 */
export type ReadForecast = (eventId: number) => Promise<EventForecast>;

export function createReadForecast({ stores, assumptions }: ForecastWatchDeps): ReadForecast {
  return async function readForecast(eventId) {
    const readFeed = async (kind: FeedKind) => {
      const key = { eventId, kind };
      const [feed, subscriptions] = await Promise.all([
        stores.feeds.find(eventId, kind),
        stores.subscriptions.of(key),
      ]);
      return { feed, subscriptions };
    };
    const [{ plan }, facts, ...found] = await Promise.all([
      stores.marketState.read(),
      stores.eventFacts.find(eventId),
      ...feedKinds.map(readFeed),
    ]);
    const freeWhenQuiet = isFreeWhenQuiet(plan, assumptions);
    const known = new Map(feedKinds.map((kind, index) => [kind, found[index]]));

    return { forecastWatch, forecastFeed, endsAt: pollingEndOf(facts) };

    function forecastWatch(watch: ForecastedWatch): WatchForecast {
      const wanted = feedsWantedBy(watch);
      return sumForecasts(
        wanted.map(({ kind, latencySeconds }) => forecastFeed(kind, latencySeconds, watch.watchId)),
      );
    }

    /** @param except a watch whose own subscription doesn't count. */
    function forecastFeed(kind: FeedKind, latencySeconds: number, except?: string): WatchForecast {
      const { feed, subscriptions = [] } = known.get(kind) ?? {};
      const others = subscriptions.filter(
        ({ watchId }) => except === undefined || watchId !== except,
      );
      const [strongest] = others;
      const before = feed && { ...feed, latencySeconds: strongest?.latencySeconds ?? 0 };
      return forecastSubscription({
        ...{ feed: before, latencySeconds, watches: others.length, freeWhenQuiet },
      });
    }
  };
}
