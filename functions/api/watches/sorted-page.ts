// Sorts rows of watches, and cuts a page out of them.
import type { OwnedPage, PageRequest } from '#shared/dynamo/owner-index.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';
import { invalidFaults } from '../problem.ts';
import type { CurrentWatch } from './current-status.ts';
import type { WatchState } from './watch-state.ts';
import { type StatusOfWatch, shareOf } from './watch-status.ts';

/** A watch with its state; `standing` is absent until it is needed. */
export interface StandingRow {
  watch: CurrentWatch;
  state: WatchState;
  standing?: StatusOfWatch | undefined;
}

type SortKey = (row: StandingRow) => number | null | undefined;

/** By what rows are sorted: the smallest key first, rows without a key last, the newest watch first among equals. */
const sortKeys = {
  newest: () => null,
  closeness: ({ standing }) => closenessOf(standing),
  date: ({ watch }) => startOf(watch.facts) ?? dayOf(watch),
  cost: ({ standing }) => standing && 0 - standing.cost.pulls,
  last_alert: ({ standing }) => standing?.lastAlert && 0 - standing.lastAlert.firedAt,
} as const satisfies Record<string, SortKey>;

export type Sort = keyof typeof sortKeys;
export const sorts = Object.keys(sortKeys) as Sort[];

/** A position in a sorted list: the sort, the key, the watch. */
export const sortedPlace = /^(?:[a-z_]+ (?:-?[\d.e+]+|none) )?wat_[0-9a-f]{32}$/;

/** The event's date while its time is not known. */
function dayOf({ facts }: CurrentWatch): number | null {
  return facts?.date === undefined ? null : Date.parse(facts.date);
}

/** How near a watch is to its nearest level, in basis points of the level; null while unknown. */
function closenessOf(standing: StandingRow['standing']): number | null {
  const shares = standing?.rules.map(shareOf).filter((share) => share !== null) ?? [];
  return shares.length === 0 ? null : Math.min(...shares);
}

interface Place {
  key: number;
  watchId: string;
}

/** One page of the rows. @throws ProblemError for a cursor of another sort. */
export function sortedPage<Row extends StandingRow>(
  rows: readonly Row[],
  sort: Sort,
  { limit, after }: PageRequest,
): OwnedPage<Row> {
  const keyOf: SortKey = sortKeys[sort];
  const ranked = rows
    .map((row) => ({ row, place: { key: keyOf(row) ?? none, watchId: row.watch.watchId } }))
    .sort((a, b) => comparePlaces(a.place, b.place));
  const start = after === undefined ? undefined : readPlace(after, sort);
  const rest = start ? ranked.filter(({ place }) => comparePlaces(place, start) > 0) : ranked;
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const page = { rows: shown.map(({ row }) => row) };
  return rest.length > limit && last ? { ...page, next: placeText(sort, last.place) } : page;
}

const none = Number.POSITIVE_INFINITY;

function comparePlaces(a: Place, b: Place): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return b.watchId < a.watchId ? -1 : Number(b.watchId > a.watchId);
}

/** The newest first needs no key, and has the cursors of the plain list. */
function placeText(sort: Sort, { key, watchId }: Place): string {
  if (sort === 'newest') return watchId;
  return `${sort} ${Number.isFinite(key) ? key : 'none'} ${watchId}`;
}

function readPlace(text: string, sort: Sort): Place {
  const [watchId = '', key = 'none', by = 'newest'] = text.split(' ').reverse();
  if (by !== sort) {
    const detail = 'is a cursor of another order; start again without it';
    throw invalidFaults([{ pointer: '#/starting_after', detail }]);
  }
  return { key: key === 'none' ? none : Number(key), watchId };
}
