// Wishes (feed subscriptions of watches) in the Watchlist table, sorted by latency. Changing a wish also changes
// the feed; both are single writes, and the last writer has seen all other wishes.
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import type { SpentWish, Wish, WishKey } from '#shared/polling/wish.ts';
import { writeIf } from './conditional-write.ts';
import type { FeedKey, FeedStore } from './feeds.ts';
import { spentWishSchema, wishSchema } from './schemas/wish-schema.ts';
import {
  eventFromKey,
  leniently,
  namedByKey,
  orElse,
  type RawItem,
  readAll,
  readOne,
  readPage,
} from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

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
  const wishes = new Entity({
    name: 'wish',
    table,
    timestamps: false,
    schema: wishSchema,
    computeKey: (wish) => ({ pk: partitionOf(wish.eventId), sk: wishSort(wish) }),
  });
  const spentWishes = new Entity({
    name: 'spentWish',
    table,
    timestamps: false,
    schema: spentWishSchema,
    computeKey: ({ eventId, watchId, kind, createdAt }) => ({
      pk: partitionOf(eventId),
      sk: `SPENT#${watchId}#${kind}#${createdAt}`,
    }),
  });

  // The key also names the watch, so a damaged wish is still polled for. Its cost is lost.
  const wishReading = leniently(wishes, {
    eventId: eventFromKey,
    kind: namedByKey((raw) => partOf(raw, 1)),
    latencySeconds: namedByKey((raw) => Number(partOf(raw, 2))),
    watchId: namedByKey((raw) => partOf(raw, 3)),
    ...{ ownerId: orElse('unknown'), createdAt: orElse(0) },
    startMicropulls: orElse(Number.MAX_SAFE_INTEGER),
  });
  const spentReading = leniently(spentWishes, {
    eventId: eventFromKey,
    watchId: namedByKey((raw) => partOf(raw, 1)),
    kind: namedByKey((raw) => partOf(raw, 2)),
    createdAt: namedByKey((raw) => Number(partOf(raw, 3))),
    micropulls: orElse(0),
  });

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

function partOf({ sk }: RawItem, index: number): string {
  return String(sk).split('#')[index] ?? '';
}

function partitionOf(eventId: number): string {
  return `EVENT#${eventId}`;
}

/** The strongest wish sorts first. */
function wishSort({
  kind,
  latencySeconds,
  watchId,
}: {
  kind: FeedKind;
  latencySeconds: number;
  watchId: string;
}) {
  return `WISH#${kind}#${String(latencySeconds).padStart(8, '0')}#${watchId}`;
}

export type WishStore = ReturnType<typeof createWishStore>;
