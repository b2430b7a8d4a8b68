// Fetches an event's new stats snapshots through the marketplace client, and late-published snapshots
// of the last hour.
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { StatsSnapshot } from '#shared/marketplace/reading/stats.ts';
import { paidStatsRows } from '#shared/marketplace/stats.ts';
import { type BillingAssumptions, pullsOfEmptyStats } from '#shared/polling/assumptions.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { readOffset, takeOffset } from '#shared/polling/service-clock.ts';
import { askFrom, rememberStamps, stampSorter } from '#shared/polling/stats-overlap.ts';
import { type MarketSnapshot, snapshotFromStats } from '#shared/rules/snapshot.ts';
import { countingCost, type Fetched, type FetchFeed } from '../fetch.ts';
import { oddRowFault } from '../odd-rows.ts';
import type { PollFeed } from './poll-feed.ts';
import { storeFewerZones } from './store-fewer-zones.ts';

/** The service's largest page: fewest calls for a catch-up (api.md, Limits). */
const rowsPerPage = 200;

export const stats: PollFeed = {
  createFetch: ({ stores, ...parts }) =>
    createFetchStats({ ...parts, storedBetween: stores.snapshots.between }),
  storePart: storeFewerZones,
};

/** Times of the stored snapshots of a feed in [from, through], epoch milliseconds. */
export type StoredTimes = (
  feed: Pick<Feed, 'eventId' | 'kind'>,
  from: number,
  through: number,
) => Promise<{ observedAt: number }[]>;

interface FetchStatsDeps {
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'stats'>>;
  storedBetween: StoredTimes;
  assumptions: BillingAssumptions;
  now: () => number;
}

/** The rows of an answer, sorted by what their timestamps say; timestamps are by the service's clock. */
interface Sorted {
  news: MarketSnapshot[];
  late: MarketSnapshot[];
  futureStamps: number[];
  pastStamps: number[];
  paidStamps: number[];
}

/** Reads everything after the newest stored snapshot and a short overlap before it. */
export function createFetchStats(deps: FetchStatsDeps): FetchFeed {
  return async function fetchStats(feed, { budgetMs, plan, clock }) {
    const from = askFrom(feed, clock?.offsetMs ?? 0);
    const client = await deps.readMarketplace();
    const walk = client.stats(feed.eventId, {
      startDate: from === undefined ? undefined : new Date(from).toISOString(),
      lastPaidSnapshotAt: from === undefined ? null : new Date(paidThrough(feed)).toISOString(),
      limit: rowsPerPage,
      deadlineMs: deps.now() + budgetMs,
    });
    const rows = await countingCost(walk, () => walk.toArray());
    const measuredMs = readOffset(walk.firstPage?.serviceClock);
    const offsetMs = takeOffset(clock, measuredMs)?.offsetMs ?? 0;
    const paid = paidStatsRows(walk, rows).map(({ timestamp }) => Date.parse(timestamp));
    const times = {
      offsetMs,
      answeredAt: deps.now(),
      paidThrough: Math.max(...paid.filter(Number.isFinite)),
    };
    const sorted = sortRows(feed, rows, times);
    const late = await notStored(deps, feed, sorted.late);
    const empty = pullsOfEmptyStats(
      {
        isDated: from !== undefined,
        hasSnapshots: (walk.firstPage?.availableZones?.length ?? 0) > 0,
        wasPaidBefore: feed.lastPaidAt !== undefined,
      },
      plan,
      deps.assumptions,
    );
    const cost = costOf(feed, { sorted, late, walked: walk.cost, empty });
    return {
      ...{ snapshots: sorted.news, late, isComplete: true, measuredMs, ...cost },
      refreshes: sorted.news.map(({ observedAt }) => observedAt),
      faults: { ...faultsOf(sorted), ...oddRowFault(walk.oddRows) },
      memory: rememberStamps(feed, {
        offsetMs,
        wrong: sorted.futureStamps,
        paidThrough: sorted.paidStamps.length > 0 ? Math.max(...sorted.paidStamps) : undefined,
      }),
    };
  };
}

/** By the service's clock; if it is not known, the newest stored snapshot counts as paid. */
function paidThrough({ paidThrough: known, lastSnapshotAt = 0, clockOffsetMs = 0 }: Feed): number {
  return known ?? lastSnapshotAt + clockOffsetMs;
}

/** The service promises no order (facts.md), and may send a snapshot twice while it is being written. */
function sortRows(
  feed: Feed,
  rows: readonly StatsSnapshot[],
  {
    offsetMs,
    answeredAt,
    paidThrough,
  }: { offsetMs: number; answeredAt: number; paidThrough: number },
): Sorted {
  const kindOf = stampSorter(feed, { offsetMs, answeredAt });
  const sorted: Sorted = { news: [], late: [], futureStamps: [], pastStamps: [], paidStamps: [] };
  const byStamp = new Map(rows.map((row) => [Date.parse(row.timestamp), row]));
  for (const [stamp, row] of [...byStamp].sort(([a], [b]) => a - b)) {
    const kind = kindOf(stamp);
    if (kind === 'future' || kind === 'past') {
      sorted[`${kind}Stamps`].push(stamp);
      continue;
    }
    if (stamp <= paidThrough) sorted.paidStamps.push(stamp);
    if (kind === 'known') continue;
    const snapshot = snapshotFromStats(feed.eventId, row);
    sorted[kind].push({ ...snapshot, observedAt: stamp - offsetMs });
  }
  return sorted;
}

/** Snapshots that the rhythm does not remember may still be stored, so the table is checked. */
async function notStored(
  { storedBetween }: FetchStatsDeps,
  feed: Feed,
  late: readonly MarketSnapshot[],
): Promise<MarketSnapshot[]> {
  const [first] = late;
  const last = late.at(-1);
  if (!first || !last) return [];
  const stored = await storedBetween(feed, first.observedAt, last.observedAt);
  const times = new Set(stored.map(({ observedAt }) => observedAt));
  return late.filter(({ observedAt }) => !times.has(observedAt));
}

/**
 * Rows that were paid before are free. A late-published snapshot is older than the last paid pull but was
 * logged after it. Whether it is charged is open (api.md), so it counts as a pull until the
 * marketplace's usage shows otherwise.
 */
function costOf(
  feed: Feed,
  {
    sorted,
    late,
    walked,
    empty,
  }: {
    sorted: Sorted;
    late: readonly MarketSnapshot[];
    walked: { pulls: number; reason: string };
    empty: { pulls: number; reason: string };
  },
): Pick<Fetched, 'pulls' | 'reason' | 'isUncertain'> {
  const isFirst = feed.lastSnapshotAt === undefined && feed.paidThrough === undefined;
  const through = isFirst ? Number.NEGATIVE_INFINITY : paidThrough(feed);
  const isWrongNew = sorted.futureStamps.some((stamp) => !feed.wrongStamps?.includes(stamp));
  if (isWrongNew || sorted.paidStamps.some((stamp) => stamp > through)) {
    const isUncertain = walked.reason === 'possibly_charged';
    return { pulls: Math.max(1, walked.pulls), reason: 'data', isUncertain };
  }
  if (late.length === 0) return empty;
  return { pulls: 1, reason: 'late_snapshot', isUncertain: true };
}

function faultsOf({ futureStamps, pastStamps }: Sorted): NonNullable<Fetched['faults']> {
  const [future] = futureStamps;
  const [past] = pastStamps;
  return {
    ...(future !== undefined && {
      future_stamp: `The market sent a snapshot dated ${new Date(future).toISOString()}, which is in the future; it was left out.`,
    }),
    ...(past !== undefined && {
      row: `The market sent a snapshot ${wrongTime(past)}; it was left out.`,
    }),
  };
}

function wrongTime(stamp: number): string {
  if (Number.isNaN(stamp)) return 'whose time cannot be read';
  return `of ${new Date(stamp).toISOString()}, long before the market existed`;
}
