// Wishes (feed subscriptions of watches) in the Watchlist table, sorted by latency. Changing a wish also changes
// the feed; both are single writes, and the last writer has seen all other wishes.
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { SpentWish, Wish, WishKey } from '#shared/polling/wish.ts';
import { writeIf } from './conditional-write.ts';
import type { FeedKey, FeedStore } from './feeds.ts';
import { readAll, readOne, readPage } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import { createWishEntities, partitionOf } from './wish-entities.ts';

/** Maximum number of tries against other writers; each failed try means that another one succeeded. */
const mostTries = 20;

/** Thrown when a feed's wishes change too fast to settle the feed; reconcile settles it later. */
export class BusyFeedError extends Error {
  override readonly name = 'BusyFeedError';
}

/** Reads and changes of wishes. After a crash between two writes, reconcile calls `settle`. */
export function createWishStore(
  table: WatchlistTable,
  feeds: Pick<FeedStore, 'find' | 'wake' | 'settleWish'>,
) {
  const { wishes, spentWishes, wishReading, spentReading } = createWishEntities(table);

  const wishesFor = ({ eventId, kind }: FeedKey) =>
    table
      .build(QueryCommand)
      .query({ partition: partitionOf(eventId), range: { beginsWith: `WISH#${kind}#` } });

  async function strongest(key: FeedKey): Promise<Wish | undefined> {
    const query = wishesFor(key).options({ limit: 1, consistent: true });
    return (await readPage(query, wishes, wishReading)).items[0];
  }

  function find(key: WishKey): Promise<Wish | undefined> {
    return readOne(
      wishes.build(GetItemCommand).key(key).options({ consistent: true }),
      wishReading,
    );
  }

  /** Makes the feed match its wishes. @returns whether anything had to change. */
  async function settle(key: FeedKey): Promise<boolean> {
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const feed = await feeds.find(key.eventId, key.kind);
      if (feed?.status !== 'active') return false;
      const wished = (await strongest(key))?.latencySeconds;
      if (wished === feed.latencySeconds) return false;
      if (await feeds.settleWish(feed, wished)) return true;
    }
    throw new BusyFeedError(
      `feed ${key.kind} of event ${key.eventId} kept changing during the write`,
    );
  }

  return {
    find,
    settle,

    /** Adds a watch's wish for a feed; a repeat changes nothing. */
    async add(wanted: Omit<Wish, 'createdAt' | 'startMicropulls'>, now: number): Promise<void> {
      const feed = await feeds.find(wanted.eventId, wanted.kind);
      await writeIf(() =>
        wishes
          .build(PutItemCommand)
          .item({ ...wanted, createdAt: now, startMicropulls: feed?.sharedMicropulls ?? 0 })
          .options({ condition: { attr: 'watchId', exists: false } })
          .send(),
      );
      await feeds.wake(wanted, wanted.latencySeconds, now);
    },

    /** Ends a watch's wish for a feed; its cost is kept. A repeat changes nothing. */
    async end(key: WishKey): Promise<void> {
      const wish = await find(key);
      if (wish) {
        const feed = await feeds.find(key.eventId, key.kind);
        const micropulls = Math.max(0, (feed?.sharedMicropulls ?? 0) - wish.startMicropulls);
        const { eventId, kind, watchId, createdAt } = wish;
        await writeIf(() =>
          spentWishes
            .build(PutItemCommand)
            .item({ eventId, kind, watchId, createdAt, micropulls })
            .options({ condition: { attr: 'watchId', exists: false } })
            .send(),
        );
        await wishes.build(DeleteItemCommand).key(key).send();
      }
      await settle(key);
    },

    /** Every live wish for a feed, the strongest first. */
    of: (key: FeedKey): Promise<Wish[]> =>
      readAll(wishesFor(key).options({ consistent: true }), wishes, wishReading),

    /** Records a cost of a watch outside any wish, such as its event lookup. */
    async noteSpent(spent: SpentWish): Promise<void> {
      await writeIf(() =>
        spentWishes
          .build(PutItemCommand)
          .item(spent)
          .options({ condition: { attr: 'watchId', exists: false } })
          .send(),
      );
    },

    /** The cost of a watch's ended wishes. */
    spentBy(eventId: number, watchId: string): Promise<SpentWish[]> {
      const query = table
        .build(QueryCommand)
        .query({ partition: partitionOf(eventId), range: { beginsWith: `SPENT#${watchId}#` } });
      return readAll(query, spentWishes, spentReading);
    },
  };
}

export type WishStore = ReturnType<typeof createWishStore>;
