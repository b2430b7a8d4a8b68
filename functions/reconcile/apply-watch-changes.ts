// Finishes watch changes that a crash interrupted: updates their feeds and triggers.
import { shardCount } from '#shared/dynamo/shard.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import type { ApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import { alone } from './each-alone.ts';

interface ApplyWatchChangesDeps {
  watches: Pick<WatchStore, 'unsettled' | 'find'>;
  applyWatchChange: ApplyWatchChange;
}

/** Maximum number of watches from one shard per run; the next run takes the rest. */
const watchesPerShard = 100;

/** The use case; `now` is epoch milliseconds. @returns how many watches were finished. */
export function createApplyWatchChanges({ watches, applyWatchChange }: ApplyWatchChangesDeps) {
  return async function settleWatches(now: number): Promise<number> {
    let settled = 0;
    for (let shard = 0; shard < shardCount; shard += 1) {
      for (const { watchId } of await watches.unsettled(shard, now, watchesPerShard)) {
        await alone({ step: 'watches', ids: { watchId } }, async () => {
          // The index may still show a change that has been carried through.
          const watch = await watches.find(watchId);
          if (!watch?.unsettled) return;
          await applyWatchChange(watch, now);
          settled += 1;
        });
      }
    }
    return settled;
  };
}
