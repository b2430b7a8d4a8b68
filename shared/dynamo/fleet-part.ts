// Reads a part of a deployment's feeds: whole shards, evenly spread, so that the part stands for the fleet. A feed's
// shard is the hash of its event, so half of the shards are a random half of the feeds.
import type { Feed } from '#shared/polling/feed.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import type { FeedStore } from './feeds.ts';
import { shardCount } from './shard.ts';

export interface FleetPart {
  /** Every scheduled feed of the shards that were read, in no order. */
  feeds: Feed[];
  /** The part of the shards that was read: 1 for a fleet that is not too large. */
  share: number;
}

/**
 * Doubles the shards, beginning with the shard `first`, as long as twice the feeds are at most `most`. With `first`
 * moving on by one, each shard is read equally often.
 */
export async function readFleetPart(
  feeds: Pick<FeedStore, 'scheduled'>,
  { first, most }: { first: number; most: number },
): Promise<FleetPart> {
  const found: Feed[] = [];
  let read = 0;
  for (let wanted = 1; wanted <= shardCount; wanted *= 2) {
    const shards = spreadShards(first).slice(read, wanted);
    const pages = await Promise.all(
      shards.flatMap((shard) => feedKinds.map((kind) => feeds.scheduled(kind, shard))),
    );
    for (const page of pages) found.push(...page);
    read = wanted;
    if (found.length * 2 > most) break;
  }
  return { feeds: found, share: read / shardCount };
}

/** All shards; the first two are half a round apart, the first four a quarter, and so on. */
function spreadShards(first: number): number[] {
  let order = [0];
  for (let step = shardCount / 2; step >= 1; step /= 2) {
    order = [...order, ...order.map((shard) => shard + step)];
  }
  return order.map((shard) => (shard + first) % shardCount);
}
