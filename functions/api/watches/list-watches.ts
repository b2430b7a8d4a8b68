// Lists an owner's watches with filters, newest first or nearest to its level first.
import type { OwnedPage, PageRequest } from '#shared/dynamo/owner-index.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { WithCurrentStatus } from './current-status.ts';
import type { ReadStatus } from './watch-status.ts';

/** The filters; an undefined filter matches every watch. */
export interface WatchFilter {
  eventId?: number | undefined;
  status?: Watch['status'] | undefined;
  tag?: string | undefined;
}

/** A position in the list by age, and in the list by distance. */
export const newestPlace = /^wat_[0-9a-f]{32}$/;
export const nearestPlace = /^near (-?\d+|none) wat_[0-9a-f]{32}$/;

interface ListDeps {
  watches: Pick<WatchStore, 'list' | 'listAll'>;
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
): Promise<OwnedPage<Watch>> {
  const kept: Watch[] = [];
  let place = after;
  do {
    const page = await watches.list(ownerId, { limit: 200, after: place });
    const rows = page.rows.filter((watch) => isMeant(watch, { ...filter, status: undefined }));
    const current = filter.status === undefined ? rows : await withCurrentStatus(rows, now);
    kept.push(...current.filter((watch) => isMeant(watch, filter)));
    place = page.next;
  } while (place !== undefined && kept.length <= limit);
  const shown = kept.slice(0, limit);
  const rows = filter.status === undefined ? await withCurrentStatus(shown, now) : shown;
  const last = rows.at(-1);
  return kept.length > limit && last ? { rows, next: last.watchId } : { rows };
}

/** One page, nearest to its level first; watches with an unknown distance come last. */
export async function nearestWatches(
  { watches, withCurrentStatus, standing }: ListDeps & { standing: ReadStatus },
  { ownerId, filter, page }: ListRequest,
  now: number,
): Promise<OwnedPage<Watch>> {
  const every = await withCurrentStatus(await watches.listAll(ownerId), now);
  const all = every.filter((watch) => isMeant(watch, filter));
  const closeness = await standing.closeness(all, now);
  const ranked = all
    .map((watch) => ({ watch, place: placeOf(watch, closeness.get(watch.watchId)) }))
    .sort((a, b) => comparePlaces(a.place, b.place));
  const { after, limit } = page;
  const rest =
    after === undefined
      ? ranked
      : ranked.filter(({ place }) => comparePlaces(place, readPlace(after)) > 0);
  const rows = rest.slice(0, limit);
  const last = rows.at(-1);
  const shown = { rows: rows.map(({ watch }) => watch) };
  return rest.length > limit && last ? { ...shown, next: placeText(last.place) } : shown;
}

interface Place {
  share: number;
  watchId: string;
}

function placeOf({ watchId }: Watch, share: number | undefined): Place {
  return { share: share ?? Number.POSITIVE_INFINITY, watchId };
}

function comparePlaces(a: Place, b: Place): number {
  if (a.share !== b.share) return a.share < b.share ? -1 : 1;
  return a.watchId < b.watchId ? -1 : Number(a.watchId > b.watchId);
}

function placeText({ share, watchId }: Place): string {
  return `near ${Number.isFinite(share) ? share : 'none'} ${watchId}`;
}

function readPlace(text: string): Place {
  const [, share = 'none', watchId = ''] = text.split(' ');
  return { share: share === 'none' ? Number.POSITIVE_INFINITY : Number(share), watchId };
}

function isMeant(watch: Watch, { eventId, status, tag }: WatchFilter): boolean {
  if (eventId !== undefined && watch.eventId !== eventId) return false;
  if (status !== undefined && watch.status !== status) return false;
  return tag === undefined || (watch.tags ?? []).includes(tag);
}
