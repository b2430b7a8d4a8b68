// Reads every feed that is scheduled, each shard of the due index once for all steps of a run.

import type { FeedStore } from '#shared/dynamo/feeds.ts';
import { shardCount } from '#shared/dynamo/shard.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';

export interface Fleet {
  active: Feed[];
  /** Ended, or of an unknown event: looked at rarely. */
  resting: Feed[];
}

/** Shards read together. */
const shardsAtOnce = 8;

/** All scheduled feeds, in no order. */
export async function readFleet(feeds: Pick<FeedStore, 'scheduled'>): Promise<Fleet> {
  const shards = Array.from({ length: shardCount }, (_, shard) => shard);
  const parts = feedKinds.flatMap((kind) => shards.map((shard) => ({ kind, shard })));
  const found = await inLots(parts, shardsAtOnce, ({ kind, shard }) =>
    feeds.scheduled(kind, shard),
  );
  const isActive = ({ status }: Feed) => status === 'active';
  const all = found.flat();
  return { active: all.filter(isActive), resting: all.filter((feed) => !isActive(feed)) };
}
