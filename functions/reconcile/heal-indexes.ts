// Finds items that are missing from an index: walks the whole table at a fixed pace, whatever its size.
import { hiddenPlace } from '#shared/dynamo/stored-items.ts';
import type { TableWalkStore } from '#shared/dynamo/table-walk.ts';
import { alone } from './each-alone.ts';
import type { PutBack } from './put-back.ts';

interface HealIndexesDeps {
  tableWalk: Pick<TableWalkStore, 'find' | 'move' | 'page'>;
  putBack: PutBack;
}

/** A walk begins this long after the previous one began, or when that one ends if later. */
const walkEveryMs = 24 * 3_600_000;
/** A page is 1 MB, so 128 read units: with a run every 5 minutes a table of 576 MB is walked in a day. */
const pagesPerRun = 2;

/** The use case; `now` is epoch milliseconds. A repeat changes nothing. */
export function createHealIndexes({ tableWalk, putBack }: HealIndexesDeps) {
  return async function healIndexes(now: number) {
    const done = { pages: 0, items: 0, putBack: 0 };
    while (done.pages < pagesPerRun) {
      const walk = await tableWalk.find();
      const isOver = walk.after === undefined;
      if (isOver && now - walk.startedAt < walkEveryMs) return done;
      const { items, next } = await tableWalk.page(walk.after);
      done.pages += 1;
      done.items += items.length;
      for (const raw of items) {
        const ids = { pk: hiddenPlace(raw.pk), sk: String(raw.sk) };
        if (await alone({ step: 'indexes', ids }, () => putBack(raw, now))) done.putBack += 1;
      }
      const startedAt = isOver ? now : walk.startedAt;
      if (!(await tableWalk.move(walk, { startedAt, after: next }))) return done;
    }
    return done;
  };
}
