// The watches that a bulk change is about: by their ids, or by the filters of the list.
import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { groupThousands } from '#shared/rules/words/words.ts';
import { problem } from '../../problem.ts';
import type { StandingFilter } from '../standing-filter.ts';
import { createFindWatches } from '../standing-list.ts';
import { type BulkRow, bulkLotSize } from './bulk-run.ts';

/** The most watches of one bulk change. */
export const mostWatches = 10_000;

/** A lot grows by up to this many watches, so that those on one event stay together. */
const mostMore = 50;

interface SelectDeps {
  stores: Stores;
  loadHistory: LoadHistory;
}

export type Selection = { ids: readonly string[] } | { filter: StandingFilter };

/** A watch; the event is not known of an id that is no watch of the owner. */
interface Selected {
  watchId: string;
  eventId?: number;
}

export function createSelectWatches({ stores, loadHistory }: SelectDeps) {
  const findWatches = createFindWatches({ stores, loadHistory });

  /** Every id has a row; an id of no watch is refused in its row. */
  async function readSelected(
    ownerId: string,
    selection: Selection,
    now: number,
  ): Promise<Selected[]> {
    if ('filter' in selection) return findWatches(ownerId, selection.filter, now);
    const ids = [...new Set(selection.ids)];
    if (ids.length <= bulkLotSize) return ids.map((watchId) => ({ watchId }));
    const own = await stores.watches.listAll(ownerId);
    const events = new Map(own.map(({ watchId, eventId }) => [watchId, eventId]));
    return ids.map((watchId) => {
      const eventId = events.get(watchId);
      return { watchId, ...(eventId !== undefined && { eventId }) };
    });
  }

  /** @returns the rows in lots. The cost of an event is known if all of its watches are in one lot. */
  return async function selectWatches(
    ownerId: string,
    selection: Selection,
    now: number,
  ): Promise<BulkRow[][]> {
    const selected = await readSelected(ownerId, selection, now);
    if (selected.length <= mostWatches) return lotsOf(selected);
    throw problem(
      'invalid-request',
      `The filter finds ${groupThousands(selected.length)} watches; one request can change ${groupThousands(mostWatches)}. Narrow it, by dates for example`,
    );
  };
}

export type SelectWatches = ReturnType<typeof createSelectWatches>;

function lotsOf(selected: readonly Selected[]): BulkRow[][] {
  const lots: BulkRow[][] = [];
  const last: { eventId?: number | undefined } = {};
  const sorted = selected.toSorted((a, b) => (a.eventId ?? 0) - (b.eventId ?? 0));
  for (const [index, { watchId, eventId }] of sorted.entries()) {
    const row = { line: index + 1, id: watchId };
    const lot = lots.at(-1);
    const isSameEvent = eventId !== undefined && eventId === last.eventId;
    const room = bulkLotSize + (isSameEvent ? mostMore : 0);
    if (lot && lot.length < room) lot.push(row);
    else lots.push([row]);
    last.eventId = eventId;
  }
  return lots;
}
