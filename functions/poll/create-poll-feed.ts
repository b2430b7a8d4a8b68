// Puts poll together from the stores and what it calls: one place for the function and for tests.
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { BillingAssumptions } from '#shared/polling/assumptions.ts';
import { eventNotFoundText, wellAgainText } from '#shared/polling/notice-texts.ts';
import type { Notify } from '#shared/polling/notify.ts';
import { createTellWatchers } from '#shared/polling/tell-watchers.ts';
import type { FetchFeeds } from './fetch.ts';
import { createHealFeed } from './heal-feed.ts';
import { createLookAhead } from './look-ahead.ts';
import { createPoll } from './poll.ts';
import { createRecordFailure } from './record-failure.ts';
import { createSettleCall } from './settle-call.ts';
import { createStoreNews } from './store-news.ts';
import { createStoreSnapshots } from './store-snapshots.ts';

export interface PollFeedDeps {
  stores: Pick<
    Stores,
    | 'feeds'
    | 'wishes'
    | 'snapshots'
    | 'pulls'
    | 'budget'
    | 'marketState'
    | 'triggers'
    | 'eventFacts'
    | 'evaluations'
  >;
  fetch: FetchFeeds;
  sendNudge: (message: EvaluateMessage) => Promise<void>;
  notify: Notify;
  assumptions: BillingAssumptions;
  random?: () => number;
}

/** @returns the poll use case over these stores. */
export function createPollFeed(deps: PollFeedDeps) {
  const { stores, fetch, sendNudge, notify, assumptions, random = Math.random } = deps;
  const settleCall = createSettleCall(stores);
  const tellWatchers = createTellWatchers({
    wishesOf: stores.wishes.of,
    findEventName: async (eventId) => (await stores.eventFacts.find(eventId))?.name,
    notify,
  });
  return createPoll({
    ...stores,
    fetch,
    healFeed: createHealFeed(stores),
    settleCall,
    notify,
    storeNews: createStoreNews({
      ...stores,
      storeSnapshots: createStoreSnapshots(stores.snapshots),
      noteLate: stores.evaluations.noteLate,
      tellBack: async (feed, now) => {
        const textOf = (name: string) => wellAgainText(feed.kind, name);
        await tellWatchers(feed, { textOf, cause: `${feed.kind}/back/${now}`, now });
      },
      settleCall,
      lookAhead: createLookAhead(stores.triggers),
      sendNudge,
      assumptions,
    }),
    recordFailure: createRecordFailure({
      ...stores,
      settleCall,
      notify,
      random,
      tellEventGone: async (feed, now) => {
        await tellWatchers(feed, { textOf: eventNotFoundText, cause: 'not_found', now });
      },
    }),
  });
}
