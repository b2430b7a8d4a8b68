// The feed subscriptions of watches in the Watchlist table, sorted by latency. Changing a subscription also changes
// the feed; both are single writes, and the last writer has seen all other subscriptions.
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { Feed } from '#shared/polling/feed.ts';
import {
  costOfSubscription,
  type Subscription,
  type SubscriptionKey,
} from '#shared/polling/subscription.ts';
import { writeIf } from './conditional-write.ts';
import type { FeedKey } from './feed-entity.ts';
import type { FeedStore } from './feeds.ts';
import { createSpentCosts } from './spent-costs.ts';
import { readAll, readOne, readPage } from './stored-items.ts';
import { createSubscriptionEntities, partitionOf } from './subscription-entities.ts';
import type { WatchlistTable } from './tables.ts';

/** A subscription as its watch asks for it. */
export type WantedSubscription = Omit<Subscription, 'createdAt' | 'startMicropulls'>;

/** Maximum number of tries against other writers; each failed try means that another one succeeded. */
const mostTries = 20;

/** Thrown when a feed's subscriptions change too fast to sync the feed; reconcile syncs it later. */
export class BusyFeedError extends Error {
  override readonly name = 'BusyFeedError';
}

/** Reads and changes of subscriptions. After a crash between two writes, reconcile calls `syncSubscriptions`. */
export function createSubscriptionStore(
  table: WatchlistTable,
  feeds: Pick<FeedStore, 'find' | 'wake' | 'setLatency'>,
) {
  const entities = createSubscriptionEntities(table);
  const { subscriptions, subscriptionReading } = entities;

  const costs = createSpentCosts(table, entities);

  const subscriptionsOf = ({ eventId, kind }: FeedKey) =>
    table
      .build(QueryCommand)
      .query({ partition: partitionOf(eventId), range: { beginsWith: `WISH#${kind}#` } });

  async function strongest(key: FeedKey): Promise<Subscription | undefined> {
    const query = subscriptionsOf(key).options({ limit: 1, consistent: true });
    return (await readPage(query, subscriptions, subscriptionReading)).items[0];
  }

  function find(key: SubscriptionKey): Promise<Subscription | undefined> {
    return readOne(
      subscriptions.build(GetItemCommand).key(key).options({ consistent: true }),
      subscriptionReading,
    );
  }

  async function record(
    wanted: WantedSubscription,
    feed: Feed | undefined,
    now: number,
  ): Promise<void> {
    await writeIf(() =>
      subscriptions
        .build(PutItemCommand)
        .item({ ...wanted, createdAt: now, startMicropulls: feed?.sharedMicropulls ?? 0 })
        .options({ condition: { attr: 'watchId', exists: false } })
        .send(),
    );
  }

  /** Makes the feed match its subscriptions. @returns whether anything had to change. */
  async function syncSubscriptions(key: FeedKey): Promise<boolean> {
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const feed = await feeds.find(key.eventId, key.kind);
      if (feed?.status !== 'active') return false;
      const latencySeconds = (await strongest(key))?.latencySeconds;
      if (latencySeconds === feed.latencySeconds) return false;
      if (await feeds.setLatency(feed, latencySeconds)) return true;
    }
    throw new BusyFeedError(`feed ${key.kind} of event ${key.eventId} kept changing`);
  }

  return {
    find,
    syncSubscriptions,

    /** Adds a watch's subscription for a feed; a repeat changes nothing. */
    async add(wanted: WantedSubscription, now: number): Promise<void> {
      const feed = await feeds.find(wanted.eventId, wanted.kind);
      await record(wanted, feed, now);
      await feeds.wake(wanted, wanted.latencySeconds, now, feed);
    },

    /**
     * The first half of `add`: stores the subscription. A repeat changes nothing.
     * @param feed as it was just read; undefined if there is none.
     */
    record,

    /** The second half of `add`: has the feed polled for the recorded subscription. */
    wakeFor: (wanted: WantedSubscription, feed: Feed | undefined, now: number) =>
      feeds.wake(wanted, wanted.latencySeconds, now, feed),

    /** Takes back a recorded subscription whose watch was not made. */
    async withdraw(key: SubscriptionKey): Promise<void> {
      await subscriptions.build(DeleteItemCommand).key(key).send();
      await syncSubscriptions(key);
    },

    /** Ends a watch's subscription for a feed; its cost is kept. A repeat changes nothing. */
    async end(key: SubscriptionKey): Promise<void> {
      const subscription = await find(key);
      if (subscription) {
        const feed = await feeds.find(key.eventId, key.kind);
        await costs.noteSpent(costOfSubscription(subscription, feed));
        await subscriptions.build(DeleteItemCommand).key(key).send();
      }
      await syncSubscriptions(key);
    },

    /** Every live subscription for a feed, the strongest first. */
    of: (key: FeedKey): Promise<Subscription[]> =>
      readAll(
        subscriptionsOf(key).options({ consistent: true }),
        subscriptions,
        subscriptionReading,
      ),

    ...costs,
  };
}

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>;
