// Forecasts the cost of a new watch from the current state of its feeds.

import type { Stores } from '#shared/dynamo/stores.ts';
import { type BillingAssumptions, isFreeWhenQuiet } from '#shared/polling/assumptions.ts';
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

/** For a watch that already exists: its own subscriptions don't count as others'. */
export type ForecastWatch = (watch: Watch) => Promise<WatchForecast>;

export function createForecastWatch({ stores, assumptions }: ForecastWatchDeps): ForecastWatch {
  return async function forecastWatch(watch) {
    const { eventId } = watch;
    const freeWhenQuiet = isFreeWhenQuiet((await stores.marketState.read()).plan, assumptions);
    const parts = await Promise.all(
      feedsWantedBy(watch).map(async ({ kind, latencySeconds }) => {
        const feed = await stores.feeds.find(eventId, kind);
        const wishes = await stores.wishes.of({ eventId, kind });
        const others = wishes.filter(({ watchId }) => watchId !== watch.watchId);
        const [strongest] = others;
        const before = feed && { ...feed, latencySeconds: strongest?.latencySeconds ?? 0 };
        return forecastSubscription({
          ...{ feed: before, latencySeconds, watches: others.length, freeWhenQuiet },
        });
      }),
    );
    return sumForecasts(parts);
  };
}
