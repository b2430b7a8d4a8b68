// An owner's watches with their standing, filtered and sorted by it. It reads each event once, whatever the number
// of watches on it; README.md of functions/api counts the requests.

import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { OwnedPage, PageRequest } from '#shared/dynamo/owner-index.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { type CurrentWatch, createCurrentStatus } from './current-status.ts';
import { once } from './once.ts';
import { createPresentState } from './present-state.ts';
import { createReadTroubles } from './read-troubles.ts';
import { type RecentOfRow, recentOfRow } from './recent-of-row.ts';
import { shareReads } from './shared-reads.ts';
import { type Sort, type StandingRow, sortedPage } from './sorted-page.ts';
import {
  hasFiredSince,
  isInTrouble,
  isNear,
  isOfEvent,
  isOwn,
  isShown,
  needsStanding,
  type StandingFilter,
} from './standing-filter.ts';
import { type WatchState, watchStateOf, watchStates } from './watch-state.ts';
import { createReadStatus, type ReadStatus, type StatusOfWatch } from './watch-status.ts';

/** The distance at which a watch counts as near, in percent of the level. */
export const nearByDefault = 10;

/** A row of an answer. */
export type WholeRow = StandingRow & {
  standing: StatusOfWatch;
  recent: RecentOfRow;
};

interface StandingRequest {
  ownerId: string;
  filter: StandingFilter;
  sort: Sort;
  page: PageRequest;
}

/** Numbers of watches, all of whose standings were read. */
export interface StandingCounts {
  near: number;
  inTrouble: number;
  /** @param since epoch milliseconds. */
  firedSince: (since: number) => number;
}

/** One page, and the numbers of watches under the filters that are not about their state or standing. */
export interface StandingPage {
  page: OwnedPage<WholeRow>;
  counts: Record<WatchState, number>;
  /** Undefined if neither the order nor a filter needs the standing of every watch. */
  standings: StandingCounts | undefined;
}

export type ListStanding = (wanted: StandingRequest, now: number) => Promise<StandingPage>;

interface ListStandingDeps {
  stores: Stores;
  loadHistory: LoadHistory;
}

/** Watches whose items are read at once; the reads of a lot go out in batches of 100, several at a time. */
const watchesAtOnce = 1_000;

/** The use case; it reads only tables. */
export function createListStanding({ stores, loadHistory }: ListStandingDeps): ListStanding {
  return async function listStanding({ ownerId, filter, sort, page }, now) {
    const { reads, watches } = await readWatches(stores, { ownerId, filter }, now);
    const status = statusReader(reads, loadHistory);
    const listed = await withState(status, watches, now);
    const isWhole = (sort !== 'newest' && sort !== 'date') || needsStanding(filter);
    const known = isWhole ? await withStanding(status, listed, now) : listed;
    const found = known.filter((row) => isShown(row, filter));
    const sorted = sortedPage(found, sort, page);
    const rows = await withStanding(status, sorted.rows, now);
    return {
      page: { ...sorted, rows: await withRecent(reads, rows) },
      counts: countsOf(known),
      standings: isWhole ? standingCounts(known, filter) : undefined,
    };
  };
}

/** Every watch of an owner that a filter finds. It reads no more than the filter needs. */
export function createFindWatches({ stores, loadHistory }: ListStandingDeps) {
  return async function findWatches(
    ownerId: string,
    filter: StandingFilter,
    now: number,
  ): Promise<Watch[]> {
    const { reads, watches } = await readWatches(stores, { ownerId, filter }, now);
    if (filter.state === undefined && !needsStanding(filter)) return watches;
    const status = statusReader(reads, loadHistory);
    const listed = await withState(status, watches, now);
    const inState = listed.filter(({ state }) => state === (filter.state ?? state));
    const known = needsStanding(filter) ? await withStanding(status, inState, now) : inState;
    return known.filter((row) => isShown(row, filter)).map(({ watch }) => watch);
  };
}

/** The owner's watches that the stored watch and its event let through. */
async function readWatches(
  stores: Stores,
  { ownerId, filter }: Pick<StandingRequest, 'ownerId' | 'filter'>,
  now: number,
) {
  const mine = (await stores.watches.listAll(ownerId)).filter((watch) => isOwn(watch, filter));
  const reads = shareReads(stores, mine);
  const current = await createCurrentStatus(reads)(mine, now);
  return { reads, watches: current.filter((watch) => isOfEvent(watch, filter)) };
}

function withState(status: ReadStatus, watches: readonly CurrentWatch[], now: number) {
  return inLots(watches, watchesAtOnce, async (watch): Promise<StandingRow> => {
    const triggers = await status.triggersOf(watch);
    return { watch, state: watchStateOf(watch, triggers.values(), now) };
  });
}

/** A watch with its state and its standing. */
export type StandingOfWatch = Pick<WholeRow, 'watch' | 'state' | 'standing'>;

/** @returns a function that reads the standing of watches, in their order. */
export function createReadStandings({ stores, loadHistory }: ListStandingDeps) {
  return async function readStandings(
    watches: readonly Watch[],
    now: number,
  ): Promise<StandingOfWatch[]> {
    const reads = shareReads(stores, watches);
    const status = statusReader(reads, loadHistory);
    const current = await createCurrentStatus(reads)(watches, now);
    return withStanding(status, await withState(status, current, now), now);
  };
}

function statusReader(reads: Stores, loadHistory: LoadHistory): ReadStatus {
  const presentState = createPresentState({ stores: reads, loadHistory: once(loadHistory) });
  const readTroubles = createReadTroubles({ stores: reads, presentState });
  return createReadStatus({ stores: reads, presentState, readTroubles });
}

type Standing = StandingRow & { standing: StatusOfWatch };

function withStanding(status: ReadStatus, rows: readonly StandingRow[], now: number) {
  return inLots(rows, watchesAtOnce, async (row): Promise<Standing> => {
    return { ...row, standing: row.standing ?? (await status.of(row.watch, now)) };
  });
}

function withRecent(reads: Stores, rows: readonly Standing[]): Promise<WholeRow[]> {
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      recent: await recentOfRow(reads, row.watch, row.standing.rules),
    })),
  );
}

function countsOf(rows: readonly StandingRow[]): Record<WatchState, number> {
  const count = (state: WatchState) => rows.filter((row) => row.state === state).length;
  const counts = watchStates.map((state) => [state, count(state)]);
  return Object.fromEntries(counts) as Record<WatchState, number>;
}

function standingCounts(
  rows: readonly StandingRow[],
  { nearPercent = nearByDefault }: StandingFilter,
): StandingCounts {
  const count = (is: (row: StandingRow) => boolean) => rows.filter(is).length;
  return {
    near: count((row) => isNear(row, nearPercent)),
    inTrouble: count(isInTrouble),
    firedSince: (since) => count((row) => hasFiredSince(row, since)),
  };
}
