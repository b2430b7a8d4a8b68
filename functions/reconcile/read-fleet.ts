// Reads the feeds that a run looks at, each shard of the due index once for all steps: every feed of a small fleet, of
// a large one a part that begins with the turn's shard, so that each feed has its turn.

import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { readFleetPart } from '#shared/dynamo/fleet-part.ts';
import { shardCount } from '#shared/dynamo/shard.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import { shardOfTurn } from './turns.ts';

export interface Fleet {
  active: Feed[];
  /** Ended, or of an unknown event: looked at rarely. */
  resting: Feed[];
  /** The part of the fleet that these are. */
  share: number;
}

/**
 * Each takes some 6 KB of memory and a third of a millisecond of processor time, over all steps. Of 100,000 feeds a run
 * reads one shard, so each feed has its turn every 80 minutes.
 */
const mostFeeds = 7_000;
/** Shards read together. */
const shardsAtOnce = 8;

/** The scheduled feeds of this run, in no order. */
export async function readFleet(feeds: Pick<FeedStore, 'scheduled'>, now: number): Promise<Fleet> {
  const part = { first: shardOfTurn(now), most: mostFeeds };
  const { feeds: found, share } = await readFleetPart(feeds, part);
  const isActive = ({ status }: Feed) => status === 'active';
  const resting = found.filter((feed) => !isActive(feed));
  return { active: found.filter(isActive), resting, share };
}

/** What the catalog needs to know of a feed. */
export type WatchedFeed = Pick<Feed, 'eventId' | 'kind' | 'status'>;

/** Every scheduled feed, with only its key and status, for the step that runs once a day. */
export async function readWatched(feeds: Pick<FeedStore, 'statuses'>): Promise<WatchedFeed[]> {
  const shards = Array.from({ length: shardCount }, (_, shard) => shard);
  const parts = feedKinds.flatMap((kind) => shards.map((shard) => ({ kind, shard })));
  const found = await inLots(parts, shardsAtOnce, ({ kind, shard }) => feeds.statuses(kind, shard));
  return found.flat();
}
