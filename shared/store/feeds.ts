// Feeds in the Watchlist table, and the due index that dispatch reads.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { type Feed, type FeedKind, feedSchema } from '#shared/polling/feed.ts';
import { writeIf } from './conditional-write.ts';
import { shardKey, shardOf } from './shard.ts';
import type { WatchlistTable } from './tables.ts';

/** What a finished poll writes back, under its claim. */
export interface PollRecord {
  nextPollAt: number;
  /** Left as it is by a poll that failed. */
  lastPolledAt?: number;
  lastSnapshotAt?: number | undefined;
  failures: number;
}

/** Reads and writes of feeds. */
export function createFeedStore(table: WatchlistTable) {
  const feeds = new Entity({
    name: 'feed',
    table,
    timestamps: false,
    schema: feedSchema.and({ dueShard: string().optional() }),
    computeKey: ({ eventId, kind }) => ({ pk: `EVENT#${eventId}`, sk: `FEED#${kind}` }),
  });
  const dueShardOf = (feed: Pick<Feed, 'eventId' | 'kind'>) =>
    shardKey(feed.kind, shardOf(String(feed.eventId)));

  return {
    async find(eventId: number, kind: FeedKind): Promise<Feed | undefined> {
      const found = await feeds
        .build(GetItemCommand)
        .key({ eventId, kind })
        .options({ consistent: true })
        .send();
      return found.Item;
    },

    /**
     * Makes sure that a feed is polled, now and at least as often as wished: a new one is made, an
     * idle one wakes, an active one is made due. Asking twice is the same as asking once.
     */
    async want(
      eventId: number,
      kind: FeedKind,
      latencySeconds: number,
      now: number,
    ): Promise<void> {
      const created = await writeIf(() =>
        feeds
          .build(PutItemCommand)
          .item({
            eventId,
            kind,
            status: 'active',
            nextPollAt: now,
            latencySeconds,
            failures: 0,
            watchersChangedAt: now,
            dueShard: dueShardOf({ eventId, kind }),
          })
          .options({ condition: { attr: 'eventId', exists: false } })
          .send(),
      );
      if (created) return;
      const woken = {
        eventId,
        kind,
        status: 'active',
        nextPollAt: now,
        watchersChangedAt: now,
        dueShard: dueShardOf({ eventId, kind }),
      } as const;
      const quickened = await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...woken, latencySeconds })
          .options({
            condition: {
              or: [
                { attr: 'latencySeconds', gt: latencySeconds },
                { attr: 'status', ne: 'active' },
              ],
            },
          })
          .send(),
      );
      if (!quickened) await feeds.build(UpdateItemCommand).item(woken).send();
    },

    /** Feeds of one shard whose time has come, earliest first; `limit` at the most. */
    async due(kind: FeedKind, shard: number, now: number, limit: number): Promise<Feed[]> {
      const { Items = [] } = await table
        .build(QueryCommand)
        .entities(feeds)
        .query({ index: 'due', partition: shardKey(kind, shard), range: { lte: now } })
        .options({ limit })
        .send();
      return Items;
    },

    /** Every active feed of one shard. */
    async active(kind: FeedKind, shard: number): Promise<Feed[]> {
      const { Items = [] } = await table
        .build(QueryCommand)
        .entities(feeds)
        .query({ index: 'due', partition: shardKey(kind, shard) })
        .options({ maxPages: Number.POSITIVE_INFINITY })
        .send();
      return Items;
    },

    /**
     * Claims a due feed until `leaseUntil` by pushing it forward in the due index.
     * @returns false when somebody else claimed it, or it changed, since it was read.
     */
    claim(feed: Feed, claim: string, leaseUntil: number): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ eventId: feed.eventId, kind: feed.kind, claim, nextPollAt: leaseUntil })
          .options({
            condition: {
              and: [
                { attr: 'status', eq: 'active' },
                { attr: 'nextPollAt', eq: feed.nextPollAt ?? 0 },
              ],
            },
          })
          .send(),
      );
    },

    /**
     * Records a poll under its claim and gives the feed back to the due index.
     * @returns false when the claim had run out and somebody else holds the feed.
     */
    finishPoll(feed: Feed, claim: string, record: PollRecord): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ eventId: feed.eventId, kind: feed.kind, ...record, claim: $remove() })
          .options({ condition: { attr: 'claim', eq: claim } })
          .send(),
      );
    },

    /** Takes a feed out of the due index, for a reason that is its new status. */
    async retire(feed: Feed, status: 'idle' | 'not_found' | 'ended'): Promise<void> {
      await feeds
        .build(UpdateItemCommand)
        .item({
          eventId: feed.eventId,
          kind: feed.kind,
          status,
          dueShard: $remove(),
          nextPollAt: $remove(),
          claim: $remove(),
        })
        .send();
    },
  };
}

export type FeedStore = ReturnType<typeof createFeedStore>;
