// Puts one stored item back into its indexes, from the item's own attributes.

import type { RawItem } from '#shared/dynamo/attribute-readings.ts';
import { displacementOf } from '#shared/dynamo/index-places.ts';
import type { SeriesInUseStore } from '#shared/dynamo/series-in-use.ts';
import { hiddenPlace } from '#shared/dynamo/stored-items.ts';
import type { TableWalkStore } from '#shared/dynamo/table-walk.ts';
import { isWholeTrigger } from '#shared/dynamo/trigger-item.ts';
import { reportFault } from '#shared/fault-report.ts';

interface PutBackDeps {
  tableWalk: Pick<TableWalkStore, 'putBack'>;
  seriesInUse: Pick<SeriesInUseStore, 'need'>;
}

/** @returns false when nothing was missing, or when the item was changed since it was read. */
export type PutBack = (raw: RawItem, now: number) => Promise<boolean>;

export function createPutBack({ tableWalk, seriesInUse }: PutBackDeps): PutBack {
  return async function putBack(raw, now) {
    const displaced = displacementOf(raw, now);
    if (!displaced) return false;
    // While the trigger was missing from the index, its series may have been dropped.
    if (displaced.kind === 'trigger' && isWholeTrigger(raw)) await seriesInUse.need(raw.trigger);
    if (!(await tableWalk.putBack(raw, displaced))) return false;
    const names = Object.keys(displaced.changes).join(', ');
    reportFault({
      thing: 'stored_item',
      reason: `The stored ${displaced.kind} was not in its indexes and is put back: ${names}`,
      ids: { pk: hiddenPlace(raw.pk), sk: String(raw.sk) },
    });
    return true;
  };
}
