// Feeds in the Watchlist table, and the due index that dispatch reads.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $remove, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { callMs, type Feed, type FeedKind, feedSchema } from '#shared/polling/feed.ts';
import { type Rhythm, unknownRhythm } from '#shared/polling/rhythm.ts';
import { writeIf } from './conditional-write.ts';
import { shardKey, shardOf } from './shard.ts';
import type { WatchlistTable } from './tables.ts';

/** What names a feed. */
export type FeedKey = Pick<Feed, 'eventId' | 'kind'>;

/** What a finished poll writes back, under its claim; what is undefined stays as it is. */
export interface PollRecord {
  nextPollAt: number;
  nextReason: string;
  failures: number;
  lastPolledAt?: number | undefined;
  lastSnapshotAt?: number | undefined;
  lastPaidAt?: number | undefined;
  rhythm?: Rhythm | undefined;
  distance?: number | undefined;
  /** `many`: too many to name. */
  ownerIds?: string[] | 'many' | undefined;
  watches?: number | undefined;
  owesNudge?: boolean | undefined;
  /** Added to what the wishes share. */
  micropulls: number;
  /** Whether the feed's call is settled by this record. */
  settles: boolean;
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
  const update = (feed: FeedKey) => ({ eventId: feed.eventId, kind: feed.kind });

  async function find(eventId: number, kind: FeedKind): Promise<Feed | undefined> {
    const found = await feeds
      .build(GetItemCommand)
      .key({ eventId, kind })
      .options({ consistent: true })
      .send();
    return found.Item;
  }

  function create(feed: FeedKey, latencySeconds: number, now: number): Promise<boolean> {
    return writeIf(() =>
      feeds
        .build(PutItemCommand)
        .item({
          ...update(feed),
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

  return {
    find,

    /**
     * Makes sure that a feed is polled, now and at least as often as wished: a new one is made, an
     * idle one wakes, an active one is made due unless it is being polled. Asking twice is harmless.
     */
    async wake(feed: FeedKey, latencySeconds: number, now: number): Promise<void> {
      if (await create(feed, latencySeconds, now)) return;
      const woken = {
        ...update(feed),
        status: 'active',
        watchersChangedAt: now,
        wishVersion: $add(1),
        dueShard: dueShardOf(feed),
      } as const;
      await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...update(feed), latencySeconds })
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
      const isDue = await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...woken, nextPollAt: now })
          .options({
            condition: {
              or: [
                { attr: 'claim', exists: false },
                { attr: 'nextPollAt', exists: false },
                { attr: 'nextPollAt', lte: now },
              ],
            },
          })
          .send(),
      );
      if (!isDue) await feeds.build(UpdateItemCommand).item(woken).send();
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
          .item({ ...update(feed), ...change, wishVersion: $add(1) })
          .options({ condition: { attr: 'wishVersion', eq: feed.wishVersion } })
          .send(),
      );
    },

    /** Every feed of one shard whose time has come, earliest first. */
    async due(kind: FeedKind, shard: number, now: number): Promise<Feed[]> {
      const { Items = [] } = await table
        .build(QueryCommand)
        .entities(feeds)
        .query({ index: 'due', partition: shardKey(kind, shard), range: { lte: now } })
        .options({ maxPages: Number.POSITIVE_INFINITY })
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
          .item({ ...update(feed), claim, nextPollAt: leaseUntil })
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
     * Notes that a claim's call goes out now. A call of an earlier claim that was never settled is
     * replaced; the caller has noted it in the ledger before.
     * @returns false when the claim is not held any more, or its call is out already.
     */
    beginCall(feed: Feed, claim: string, at: number): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...update(feed), call: $set({ claim, at }) })
          .options({
            condition: {
              and: [
                { attr: 'claim', eq: claim },
                feed.call
                  ? { attr: 'call.claim', eq: feed.call.claim }
                  : { attr: 'call', exists: false },
              ],
            },
          })
          .send(),
      );
    },

    /**
     * Records a poll under its claim and gives the feed back to the due index.
     * @returns the feed as it is now; undefined when the claim had run out and somebody else holds it.
     */
    async finishPoll(feed: FeedKey, claim: string, record: PollRecord): Promise<Feed | undefined> {
      const { micropulls, settles, rhythm, ownerIds, ...facts } = record;
      let finished: Feed | undefined;
      await writeIf(async () => {
        const answer = await feeds
          .build(UpdateItemCommand)
          .item({
            ...update(feed),
            ...facts,
            ...(rhythm && { rhythm: $set(rhythm) }),
            ...(ownerIds && { ownerIds: ownerIds === 'many' ? $remove() : $set(ownerIds) }),
            ...(micropulls > 0 && { sharedMicropulls: $add(micropulls) }),
            ...(settles && { call: $remove() }),
            claim: $remove(),
          })
          .options({ condition: { attr: 'claim', eq: claim }, returnValues: 'ALL_NEW' })
          .send();
        finished = answer.Attributes;
      });
      return finished;
    },

    /** Takes a call back that was refused before it was served; the claim stays. */
    async endCall(feed: FeedKey, claim: string): Promise<void> {
      await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...update(feed), call: $remove() })
          .options({ condition: { attr: 'call.claim', eq: claim } })
          .send(),
      );
    },

    /** The evaluation has been told of what is stored. */
    async clearNudge(feed: FeedKey): Promise<void> {
      await feeds
        .build(UpdateItemCommand)
        .item({ ...update(feed), owesNudge: $remove() })
        .options({ condition: { attr: 'eventId', exists: true } })
        .send();
    },

    /** Makes an active feed due now, unless it is being polled or due already. */
    hasten(feed: FeedKey, now: number): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...update(feed), nextPollAt: now })
          .options({
            condition: {
              and: [
                { attr: 'status', eq: 'active' },
                { attr: 'claim', exists: false },
                { attr: 'nextPollAt', gt: now },
              ],
            },
          })
          .send(),
      );
    },

    /** Moves a waiting feed's next poll, unless it was claimed or moved since it was read. */
    reschedule(feed: Feed, nextPollAt: number): Promise<boolean> {
      return writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...update(feed), nextPollAt })
          .options({
            condition: {
              and: [
                { attr: 'status', eq: 'active' },
                { attr: 'claim', exists: false },
                { attr: 'nextPollAt', eq: feed.nextPollAt ?? 0 },
              ],
            },
          })
          .send(),
      );
    },

    /** Notes whether a listings feed can hold anything that its rules ask for. */
    async setReach(feed: FeedKey, isOutOfReach: boolean): Promise<void> {
      await writeIf(() =>
        feeds
          .build(UpdateItemCommand)
          .item({ ...update(feed), isOutOfReach })
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
            ...update(feed),
            ...(eventStartsAt !== undefined && { eventStartsAt }),
            ...(unwellSince !== undefined && {
              unwellSince: unwellSince === 'well' ? $remove() : unwellSince,
            }),
          })
          .options({ condition: { attr: 'eventId', exists: true } })
          .send(),
      );
    },

    /** Takes a feed out of the due index, for a reason that is its new status. */
    async retire(feed: FeedKey, status: 'idle' | 'not_found' | 'ended'): Promise<void> {
      await feeds
        .build(UpdateItemCommand)
        .item({
          ...update(feed),
          status,
          dueShard: $remove(),
          nextPollAt: $remove(),
          claim: $remove(),
        })
        .send();
    },
  };
}

/** Whether the call of another claim may still be under way. */
export function isCallUnderWay(feed: Feed, now: number): boolean {
  return feed.call !== undefined && now - feed.call.at < callMs;
}

function dueShardOf(feed: FeedKey): string {
  return shardKey(feed.kind, shardOf(String(feed.eventId)));
}

export type FeedStore = ReturnType<typeof createFeedStore>;
