// Lists an owner's watches, newest first, page by page from the index.
import type { OwnedPage, PageRequest } from '#shared/dynamo/owner-index.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { CurrentWatch, WithCurrentStatus } from './current-status.ts';

/** A position in the list. */
export const newestPlace = /^wat_[0-9a-f]{32}$/;

/** The filters; an undefined filter matches every watch. */
interface WatchFilter {
  eventId?: number | undefined;
  status?: Watch['status'] | undefined;
  tag?: string | undefined;
}

interface ListDeps {
  watches: Pick<WatchStore, 'list'>;
  withCurrentStatus: WithCurrentStatus;
}

interface ListRequest {
  ownerId: string;
  filter: WatchFilter;
  page: PageRequest;
}

/**
 * One page, newest first. Filters are applied after reading, so this reads on until the page is
 * full; an owner's quota limits the number of reads.
 */
export async function newestWatches(
  { watches, withCurrentStatus }: ListDeps,
  { ownerId, filter, page: { limit, after } }: ListRequest,
  now: number,
): Promise<OwnedPage<CurrentWatch>> {
  const kept: Watch[] = [];
  let place = after;
  do {
    const page = await watches.list(ownerId, { limit: 200, after: place });
    const rows = page.rows.filter((watch) => isMeant(watch, { ...filter, status: undefined }));
    const current = filter.status === undefined ? rows : await withCurrentStatus(rows, now);
    kept.push(...current.filter((watch) => isMeant(watch, filter)));
    place = page.next;
  } while (place !== undefined && kept.length <= limit);
  const rows = await withCurrentStatus(kept.slice(0, limit), now);
  const last = rows.at(-1);
  return kept.length > limit && last ? { rows, next: last.watchId } : { rows };
}

function isMeant(watch: Watch, { eventId, status, tag }: WatchFilter): boolean {
  if (eventId !== undefined && watch.eventId !== eventId) return false;
  if (status !== undefined && watch.status !== status) return false;
  return tag === undefined || (watch.tags ?? []).includes(tag);
}
