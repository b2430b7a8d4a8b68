// Builds poll from stores, a queue and the marketplace: for the function and for tests.
import {
  budget,
  evaluations,
  eventFacts,
  feeds,
  marketState,
  notices,
  priceDays,
  pulls,
  snapshots,
  subscriptions,
  triggers,
} from '#shared/dynamo/store-list.ts';
import type { StoresOf } from '#shared/dynamo/stores.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { createSendNudge } from '#shared/lambda/send-nudge.ts';
import type { BillingAssumptions } from '#shared/polling/assumptions.ts';
import { eventNotFoundText, wellAgainText } from '#shared/polling/notice-texts.ts';
import { createNotify } from '#shared/polling/notify.ts';
import { createTellWatchers } from '#shared/polling/tell-watchers.ts';
import type { FetchFeeds } from './fetch.ts';
import { createHealFeed } from './heal-feed.ts';
import { createLookAhead } from './look-ahead.ts';
import { createPoll } from './poll.ts';
import { createRecentOfNews } from './recent-of-news.ts';
import { createRecordCallCost } from './record-call-cost.ts';
import { createRecordFailure } from './record-failure.ts';
import { createStoreNews } from './store-news.ts';
import { createStorePriceDays } from './store-price-days.ts';
import { createStoreSnapshots } from './store-snapshots.ts';

/** The stores that poll uses. */
export const pollStores = {
  budget,
  evaluations,
  eventFacts,
  feeds,
  marketState,
  notices,
  priceDays,
  pulls,
  snapshots,
  triggers,
  subscriptions,
};

type PollStores = StoresOf<typeof pollStores>;

interface PollParts {
  stores: PollStores;
  fetch: FetchFeeds;
  sendNudges: SendMessages;
  /** Sends a stored notice. Reconcile sends unsent notices, so this may do nothing. */
  sendNotice: (noticeId: string) => Promise<void>;
  assumptions: BillingAssumptions;
  /** @default Math.random */
  random?: () => number;
}

/** @returns the poll use case over these stores. */
export function composePoll(parts: PollParts) {
  const { stores, fetch, sendNotice, assumptions, random = Math.random } = parts;
  const recordCallCost = createRecordCallCost(stores);
  const notify = createNotify({ createNotice: stores.notices.create, sendNotice });
  const tellWatchers = createTellWatchers({
    subscriptionsOf: stores.subscriptions.of,
    findEventName: async (eventId) => (await stores.eventFacts.find(eventId))?.name,
    notify,
  });
  return createPoll({
    ...stores,
    fetch,
    healFeed: createHealFeed(stores),
    recordCallCost,
    notify,
    storeNews: createStoreNews({
      ...stores,
      storeSnapshots: createStoreSnapshots(stores.snapshots),
      storePriceDays: createStorePriceDays(stores),
      recentOfNews: createRecentOfNews(stores.priceDays),
      noteLate: stores.evaluations.noteLate,
      markBehind: stores.evaluations.markBehind,
      tellBack: async (feed, now) => {
        const textOf = (name: string) => wellAgainText(feed.kind, name);
        await tellWatchers(feed, { textOf, cause: `${feed.kind}/back/${now}`, now });
      },
      recordCallCost,
      lookAhead: createLookAhead(stores.triggers),
      alertsOf: async (feed) => {
        const ofShards = await stores.evaluations.ofFeed(feed);
        return ofShards.reduce((sum, { alerts = 0 }) => sum + alerts, 0);
      },
      sendNudge: createSendNudge(parts.sendNudges),
      assumptions,
    }),
    recordFailure: createRecordFailure({
      ...stores,
      recordCallCost,
      notify,
      random,
      tellEventGone: async (feed, now) => {
        await tellWatchers(feed, { textOf: eventNotFoundText, cause: 'not_found', now });
      },
    }),
  });
}
