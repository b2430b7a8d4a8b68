// Sweeps a part of the feeds for wishes that a crash left behind, and brings each feed in line with
// the wishes that remain. Every feed has its turn within a few hours.

import { shardOf } from '#shared/dynamo/shard.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import type { WishStore } from '#shared/dynamo/wishes.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Feed } from '#shared/polling/feed.ts';
import type { Wish } from '#shared/polling/wish.ts';
import { alone } from './each-alone.ts';
import { lotOfTurn, shardOfTurn } from './turns.ts';

interface SweepWishesDeps {
  wishes: Pick<WishStore, 'of' | 'end' | 'settle'>;
  watches: Pick<WatchStore, 'find'>;
}

/** A wish is made before its watch; one whose watch is still missing after this never had one. */
const watchMissingMs = 15 * 60_000;
/** Feeds swept in one run; the shard's next turn takes the next ones. */
const feedsPerRun = 1_000;
/** Feeds swept together. */
const feedsAtOnce = 25;
/** Watches of one feed looked up together. */
const watchesAtOnce = 25;

/** The use case. @returns how many wishes were ended and how many feeds changed for other reasons. */
export function createSweepWishes({ wishes, watches }: SweepWishesDeps) {
  return async function sweepWishes(active: readonly Feed[], now: number) {
    const done = { endedWishes: 0, settledFeeds: 0 };
    await inLots(feedsOfTurn(active, now), feedsAtOnce, (feed) => {
      const ids = { eventId: feed.eventId, kind: feed.kind };
      return alone({ step: 'wishes', ids }, () => sweep(feed, now, done));
    });
    return done;
  };

  async function sweep(
    feed: Feed,
    now: number,
    done: { endedWishes: number; settledFeeds: number },
  ) {
    const live = await wishes.of(feed);
    const wanted = await inLots(live, watchesAtOnce, (wish) => isWanted(wish, now));
    const unwanted = live.filter((_, index) => !wanted[index]);
    for (const wish of unwanted) {
      await wishes.end(wish);
      done.endedWishes += 1;
    }
    // The strongest wish comes first. Where the feed follows it already, there is nothing to settle.
    if (unwanted.length === 0 && live[0]?.latencySeconds === feed.latencySeconds) return;
    if (await wishes.settle(feed)) done.settledFeeds += 1;
  }

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

function feedsOfTurn(active: readonly Feed[], now: number): Feed[] {
  const shard = shardOfTurn(now);
  const feeds = active
    .filter(({ eventId }) => shardOf(String(eventId)) === shard)
    .sort((a, b) => a.eventId - b.eventId);
  return lotOfTurn(feeds, feedsPerRun, now);
}
