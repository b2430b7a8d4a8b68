// Finishes the changes of watches that a crash cut off: their feeds and triggers are brought in line.
import { shardCount } from '#shared/dynamo/shard.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import type { SettleWatch } from '#shared/watchlist/settle-watch.ts';
import { alone } from './each-alone.ts';

interface SettleWatchesDeps {
  watches: Pick<WatchStore, 'unsettled' | 'find'>;
  settle: SettleWatch;
}

/** Watches taken from one shard in one run; the rest are still there at the next. */
const watchesPerShard = 100;

/** The use case; `now` is epoch milliseconds. @returns how many watches were settled. */
export function createSettleWatches({ watches, settle }: SettleWatchesDeps) {
  return async function settleWatches(now: number): Promise<number> {
    let settled = 0;
    for (let shard = 0; shard < shardCount; shard += 1) {
      for (const { watchId } of await watches.unsettled(shard, now, watchesPerShard)) {
        await alone({ step: 'watches', ids: { watchId } }, async () => {
          // The index may lag behind a change that has been carried through.
          const watch = await watches.find(watchId);
          if (!watch?.unsettled) return;
          await settle(watch, now);
          settled += 1;
        });
      }
    }
    return settled;
  };
}
