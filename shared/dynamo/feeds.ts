// Feeds in the Watchlist table, and the due index that dispatch reads.

import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { Feed } from '#shared/polling/feed.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { unknownRhythm } from '#shared/polling/rhythm.ts';
import { timing } from '#shared/timing.ts';
import { isNoNumber, isStillOrNoNumber, writeIf, writeOrReplace } from './conditional-write.ts';
import {
  createFeedEntity,
  dueShardOf,
  type FeedKey,
  feedKeyOf,
  feedReading,
} from './feed-entity.ts';
import { createFeedPolls } from './feed-polls.ts';
import { shardKey } from './shard.ts';
import { readAll, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

export type { FeedKey } from './feed-entity.ts';
export type { PollRecord } from './feed-polls.ts';

interface Wake {
  latencySeconds: number;
  wishVersion: ReturnType<typeof $add<1>> | number;
  /** Epoch milliseconds. */
  now: number;
}

/** Reads and writes of feeds. */
export function createFeedStore(table: WatchlistTable) {
  const feeds = createFeedEntity(table);
  const reading = feedReading(feeds);

  async function find(eventId: number, kind: FeedKind): Promise<Feed | undefined> {
    const action = feeds.build(GetItemCommand).key({ eventId, kind }).options({ consistent: true });
    return readOne(action, reading);
  }

  function create(feed: FeedKey, latencySeconds: number, now: number): Promise<boolean> {
    return writeIf(() =>
      feeds
        .build(PutItemCommand)
        .item({
          ...feedKeyOf(feed),
          status: 'active',
          nextPollAt: now,
          nextReason: 'new',
          latencySeconds,
          wishVersion: 1,
          failures: 0,
          rhythm: unknownRhythm,
          sharedMicropulls: 0,
          watchersChangedAt: now,
          dueShard: dueShardOf(feed),
        })
        .options({ condition: { attr: 'eventId', exists: false } })
        .send(),
    );
  }

  /** @returns false when the feed was put to sleep after its own latency was found quick enough. */
  async function wakeOnce(
    feed: FeedKey,
    { latencySeconds, wishVersion, now }: Wake,
  ): Promise<boolean> {
    const woken = {
      ...feedKeyOf(feed),
      status: 'active',
      watchersChangedAt: now,
      wishVersion,
      dueShard: dueShardOf(feed),
    } as const;
    const isLatencySet = await writeIf(() =>
      feeds
        .build(UpdateItemCommand)
        .item({ ...feedKeyOf(feed), latencySeconds })
        .options({
          condition: {
            or: [
              { attr: 'latencySeconds', gt: latencySeconds },
              isNoNumber('latencySeconds' as const),
              { attr: 'status', ne: 'active' },
            ],
          },
        })
        .send(),
    );
    // Where the feed keeps its own latency, it does so because it is active.
    const sameStatus = isLatencySet ? [] : [{ attr: 'status', eq: 'active' } as const];
    const isDue = await writeIf(() =>
      feeds
        .build(UpdateItemCommand)
        .item({ ...woken, nextPollAt: now })
        .options({
          condition: {
            and: [
              ...sameStatus,
              {
                or: [
                  { attr: 'claim', exists: false },
                  { attr: 'nextPollAt', exists: false },
                  { attr: 'nextPollAt', lte: now },
                ],
              },
            ],
          },
        })
        .send(),
    );
    if (isDue) return true;
    return writeIf(() =>
      feeds
        .build(UpdateItemCommand)
        .item(woken)
        .options({ condition: { and: [{ attr: 'eventId', exists: true }, ...sameStatus] } })
        .send(),
    );
  }

  async function scheduled(kind: FeedKind, shard: number): Promise<Feed[]> {
    const query = table
      .build(QueryCommand)
      .query({ index: 'due', partition: shardKey(kind, shard) });
    return readAll(query, feeds, reading);
  }

  return {
    ...createFeedPolls(feeds),
    find,

    /**
     * Makes sure that a feed is polled, now and at least as often as wished: a new one is made, an
     * idle one wakes, an active one is made due unless it is being polled. Asking twice is harmless.
     */
    async wake(feed: FeedKey, latencySeconds: number, now: number): Promise<void> {
      if (await create(feed, latencySeconds, now)) return;
      let isAwake = false;
      const wake = (wishVersion: Wake['wishVersion']) => () =>
        wakeOnce(feed, { latencySeconds, wishVersion, now });
      const place = { what: 'feed', ids: { eventId: String(feed.eventId), kind: feed.kind } };
      // Any other version says as well that the wishes changed.
      while (!isAwake) isAwake = await writeOrReplace(place, wake($add(1)), wake(now));
    },

    /**
     * Sets the strongest wish, or puts a feed to sleep that nobody wishes (undefined), unless its
     * wishes changed since `feed` was read.
     */
    settleWish(feed: Feed, latencySeconds: number | undefined): Promise<boolean> {
      const change =
        latencySeconds === undefined
          ? ({
              status: 'idle',
              dueShard: $remove(),
              nextPollAt: $remove(),
              claim: $remove(),
            } as const)
          : { latencySeconds };
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...feedKeyOf(feed), ...change, wishVersion: feed.wishVersion + 1 })
          .options({ condition: isStillOrNoNumber('wishVersion' as const, feed.wishVersion) })
          .send(),
      );
    },

    /** Every feed of one shard whose time has come, earliest first. */
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

    /** Every feed of one shard, active or resting, that is polled or looked at at a time. */
    scheduled,

    /** Polls a resting feed again, from now on. */
    revive(feed: FeedKey, now: number): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({
            ...feedKeyOf(feed),
            ...{ status: 'active', nextPollAt: now, dueShard: dueShardOf(feed), claim: $remove() },
          })
          .options({ condition: { attr: 'status', in: ['ended', 'not_found'] } })
          .send(),
      );
    },

    /** Notes whether a listings feed can hold anything that its rules ask for. */
    async setReach(feed: FeedKey, isOutOfReach: boolean): Promise<void> {
      await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...feedKeyOf(feed), isOutOfReach })
          .options({ condition: { attr: 'eventId', exists: true } })
          .send(),
      );
    },

    /** Notes when the event starts, and since when watchers know the feed to be unwell. */
    async note(
      feed: FeedKey,
      facts: { eventStartsAt?: number; unwellSince?: number | 'well' },
    ): Promise<void> {
      const { eventStartsAt, unwellSince } = facts;
      await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({
            ...feedKeyOf(feed),
            ...(eventStartsAt !== undefined && { eventStartsAt }),
            ...(unwellSince !== undefined && {
              unwellSince: unwellSince === 'well' ? $remove() : unwellSince,
            }),
          })
          .options({ condition: { attr: 'eventId', exists: true } })
          .send(),
      );
    },

    /**
     * Takes a feed out of regular polling, for a reason that is its new status. With `lookAt`, epoch
     * milliseconds, it is polled once more then: everything but `idle` has a way back.
     */
    async retire(
      feed: FeedKey,
      status: 'idle' | 'not_found' | 'ended',
      lookAt?: number,
    ): Promise<void> {
      await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({
            ...feedKeyOf(feed),
            status,
            ...(lookAt === undefined
              ? { dueShard: $remove(), nextPollAt: $remove() }
              : { dueShard: dueShardOf(feed), nextPollAt: lookAt }),
            claim: $remove(),
            call: $remove(),
          })
          .options({ condition: { attr: 'eventId', exists: true } })
          .send(),
      );
    },
  };
}

/** Whether the call of another claim may still be under way. */
export function isCallUnderWay(feed: Feed, now: number): boolean {
  return feed.call !== undefined && now - feed.call.at < timing.callMs;
}

export type FeedStore = ReturnType<typeof createFeedStore>;
