// Feeds in the Watchlist table, and the due index that dispatch reads.

import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { Feed } from '#shared/polling/feed.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { timing } from '#shared/timing.ts';
import { createFeedEntity, feedReading } from './feed-entity.ts';
import { createFeedPolls } from './feed-polls.ts';
import { createFeedStatus } from './feed-status.ts';
import { readStatuses } from './feed-statuses.ts';
import { createFeedWakes } from './feed-wakes.ts';
import { shardKey } from './shard.ts';
import { readAll, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of feeds. */
export function createFeedStore(table: WatchlistTable) {
  const feeds = createFeedEntity(table);
  const reading = feedReading(feeds);

  async function find(eventId: number, kind: FeedKind): Promise<Feed | undefined> {
    const action = feeds.build(GetItemCommand).key({ eventId, kind }).options({ consistent: true });
    return readOne(action, reading);
  }

  async function scheduled(kind: FeedKind, shard: number): Promise<Feed[]> {
    const query = table
      .build(QueryCommand)
      .query({ index: 'due', partition: shardKey(kind, shard) });
    return readAll(query, feeds, reading);
  }

  return {
    ...createFeedPolls(feeds),
    ...createFeedStatus(feeds),
    ...createFeedWakes(feeds),
    find,

    /** Every due feed of one shard, earliest first. */
    async due(kind: FeedKind, shard: number, now: number): Promise<Feed[]> {
      const query = table
        .build(QueryCommand)
        .query({ index: 'due', partition: shardKey(kind, shard), range: { lte: now } });
      return readAll(query, feeds, reading);
    },

    /** Every active feed of one shard. */
    async active(kind: FeedKind, shard: number): Promise<Feed[]> {
      return (await scheduled(kind, shard)).filter(({ status }) => status === 'active');
    },

    /** Every feed of one shard, active or resting, that has a time for its next poll. */
    scheduled,

    /** The same feeds, with only their keys and statuses. */
    statuses: (
      kind: FeedKind,
      shard: number,
    ): Promise<Pick<Feed, 'eventId' | 'kind' | 'status'>[]> =>
      readStatuses(table, shardKey(kind, shard)),
  };
}

/** Whether the call of another claim may still be running. */
export function isCallUnderWay(feed: Feed, now: number): boolean {
  return feed.call !== undefined && now - feed.call.at < timing.callMs;
}

export type FeedStore = ReturnType<typeof createFeedStore>;
