// An owner's deleted watches that can still be restored, the last deleted first.
import type { OwnedPage, PageRequest } from '#shared/dynamo/owner-index.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { restorableMs } from '#shared/watchlist/watch-version.ts';
import { filteredPage } from '../filtered-page.ts';
import type { CurrentWatch, WithCurrentStatus } from './current-status.ts';

/** A position in the list: the time of the deletion and the watch. */
export const deletedPlace = /^\d{4}-\d\d-\d\dT[\d:.]+Z#wat_[0-9a-f]{32}$/;

interface DeletedListDeps {
  watches: Pick<WatchStore, 'listDeleted'>;
  withCurrentStatus: WithCurrentStatus;
}

interface DeletedRequest {
  ownerId: string;
  filter: { eventId?: number | undefined; tag?: string | undefined };
  page: PageRequest;
}

/** One page; `now` is epoch milliseconds. A watch has the status that it has when it is restored. */
export async function deletedWatches(
  { watches, withCurrentStatus }: DeletedListDeps,
  { ownerId, filter, page }: DeletedRequest,
  now: number,
): Promise<OwnedPage<CurrentWatch>> {
  const isMeant = ({ eventId, tags = [], removedAt }: Watch) =>
    removedAt !== undefined &&
    (filter.eventId === undefined || filter.eventId === eventId) &&
    (filter.tag === undefined || tags.includes(filter.tag));
  const found = await filteredPage((asked) => watches.listDeleted(ownerId, asked), page, {
    since: now - restorableMs + 1,
    keep: async (watch: Watch & { ownerSort: string }) => (isMeant(watch) ? watch : undefined),
    rowsAtOnce: 200,
    mostRows: 10_000,
  });
  const before = found.rows.map((watch) => ({
    ...watch,
    status: watch.statusWhenRemoved ?? watch.status,
  }));
  return { ...found, rows: await withCurrentStatus(before, now) };
}
