// Finishes watch changes that a crash interrupted: updates their feeds and triggers. Deletes watches that can no longer be
// restored, and has the recap of bought ones told.
import { shardCount } from '#shared/dynamo/shard.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { ApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import { alone } from './each-alone.ts';
import type { RecapBought } from './recap-bought.ts';

interface ApplyWatchChangesDeps {
  watches: Pick<WatchStore, 'unsettled' | 'find'>;
  applyWatchChange: ApplyWatchChange;
  recapBought: RecapBought;
}

/** Maximum number of watches from one shard per run; the next run takes the rest. */
const watchesPerShard = 100;
/** Watches of a shard that are finished together: thousands may have been deleted on the same day. */
const watchesAtOnce = 10;

/** The use case; `now` is epoch milliseconds. @returns how many watches were finished. */
export function createApplyWatchChanges(deps: ApplyWatchChangesDeps) {
  const { watches, applyWatchChange } = deps;
  return async function settleWatches(now: number): Promise<number> {
    let settled = 0;
    for (let shard = 0; shard < shardCount; shard += 1) {
      const due = await watches.unsettled(shard, now, watchesPerShard);
      await inLots(due, watchesAtOnce, ({ watchId }) =>
        alone({ step: 'watches', ids: { watchId } }, async () => {
          // The index may still show a change that has been carried through.
          const watch = await watches.find(watchId);
          if (!watch) return;
          if (watch.unsettled || watch.removedAt !== undefined) await applyWatchChange(watch, now);
          else if (watch.bought) await deps.recapBought(watch, now);
          else return;
          settled += 1;
        }),
      );
    }
    return settled;
  };
}
