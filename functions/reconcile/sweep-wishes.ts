// Sweeps a part of the feeds for wishes that a crash left behind, and brings each feed in line with
// the wishes that remain. Every feed has its turn within a few hours.

import { shardCount, shardOf } from '#shared/dynamo/shard.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import type { WishStore } from '#shared/dynamo/wishes.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Feed } from '#shared/polling/feed.ts';
import type { Wish } from '#shared/polling/wish.ts';
import { alone } from './each-alone.ts';

interface SweepWishesDeps {
  wishes: Pick<WishStore, 'of' | 'end' | 'settle'>;
  watches: Pick<WatchStore, 'find'>;
}

/** A wish is made before its watch; one whose watch is still missing after this never had one. */
const watchMissingMs = 15 * 60_000;
/** One shard is swept in each span of this length. */
const turnMs = 5 * 60_000;

/** Watches looked up together. */
const watchesAtOnce = 25;

/** The shard whose turn it is at a time, epoch milliseconds. */
export function shardOfTurn(now: number): number {
  return Math.floor(now / turnMs) % shardCount;
}

/** How many turns the shard of a time has had before. */
export function turnsBefore(now: number): number {
  return Math.floor(now / turnMs / shardCount);
}

/** The use case. @returns how many wishes were ended and how many feeds changed for other reasons. */
export function createSweepWishes({ wishes, watches }: SweepWishesDeps) {
  return async function sweepWishes(active: readonly Feed[], now: number) {
    const shard = shardOfTurn(now);
    const done = { endedWishes: 0, settledFeeds: 0 };
    for (const feed of active) {
      if (shardOf(String(feed.eventId)) !== shard) continue;
      const ids = { eventId: feed.eventId, kind: feed.kind };
      await alone({ step: 'wishes', ids }, async () => {
        const live = await wishes.of(feed);
        const wanted = await inLots(live, watchesAtOnce, (wish) => isWanted(wish, now));
        for (const wish of live.filter((_, index) => !wanted[index])) {
          await wishes.end(wish);
          done.endedWishes += 1;
        }
        if (await wishes.settle(feed)) done.settledFeeds += 1;
      });
    }
    return done;
  };

  /** A watch that can't be read may want its feed. */
  async function isWanted({ watchId, createdAt }: Wish, now: number): Promise<boolean> {
    const found = await alone({ step: 'wishes', ids: { watchId } }, async () => ({
      watch: await watches.find(watchId),
    }));
    if (!found) return true;
    if (!found.watch) return now - createdAt < watchMissingMs;
    return found.watch.status === 'active';
  }
}
