// Every active feed of a deployment, read shard by shard.
import type { Feed } from '#shared/polling/feed.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import type { FeedStore } from './feeds.ts';
import { shardCount } from './shard.ts';

/** All active feeds, in no order. */
export async function allFeeds(feeds: Pick<FeedStore, 'active'>): Promise<Feed[]> {
  const shards = Array.from({ length: shardCount }, (_, shard) => shard);
  const found = await Promise.all(
    feedKinds.flatMap((kind) => shards.map((shard) => feeds.active(kind, shard))),
  );
  return found.flat();
}
