// Fetches an event's listings after a refresh, and keeps the rows that match the rules' filters
// as the refresh's snapshot, not all rows.

import type { EvaluationKey } from '#shared/dynamo/evaluation-entity.ts';
import type { Charge } from '#shared/marketplace/charge.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { type BillingAssumptions, isFreeWhenQuiet } from '#shared/polling/assumptions.ts';
import type { Feed } from '#shared/polling/feed.ts';
import {
  earliestStamp,
  futureToleranceMs,
  type MarketClock,
  readOffset,
  takeOffset,
} from '#shared/polling/service-clock.ts';
import { type ListingsSnapshot, snapshotFromListings } from '#shared/rules/listings-snapshot.ts';
import { feedKindOf, parseSeries, type SeriesKey } from '#shared/rules/series.ts';
import { filterOf, type Snapshot } from '#shared/rules/sources/sources.ts';
import { countingCost, type Fetched, type FetchFeed } from '../fetch.ts';
import { oddRowFault } from '../odd-rows.ts';
import type { PollFeed } from './poll-feed.ts';

/** The service's largest page (api.md, Limits). */
const rowsPerPage = 1_000;
/** Maximum number of matches in one snapshot, all filters together: about 150 bytes each, far below 400 KB. */
const matchesPerSnapshot = 1_000;

export const listings: PollFeed = {
  createFetch: ({ stores, ...parts }) =>
    createFetchListings({
      ...parts,
      seriesOf: stores.triggers.seriesOf,
      newestSnapshot: stores.snapshots.newest,
    }),
};

interface FetchListingsDeps {
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'listings'>>;
  seriesOf: (eventId: number) => Promise<SeriesKey[]>;
  newestSnapshot: (feed: EvaluationKey) => Promise<Snapshot | undefined>;
  assumptions: BillingAssumptions;
  now: () => number;
}

/**
 * Reads the first page, and the others only if the market has refreshed since the stored snapshot, or
 * a filter is new. The refresh time shows what is new; the charge does not, because an answer that was
 * lost was charged too.
 */
export function createFetchListings(deps: FetchListingsDeps): FetchFeed {
  return async function fetchListings(feed, { budgetMs, plan, clock }): Promise<Fetched> {
    const client = await deps.readMarketplace();
    const walk = client.listings(feed.eventId, {
      active: true,
      limit: rowsPerPage,
      deadlineMs: deps.now() + budgetMs,
    });
    const found = await countingCost(walk, () => readRefresh(deps, feed, walk, clock));
    const quietPulls = isFreeWhenQuiet(plan, deps.assumptions) ? 0 : 1;
    const isRequestCharged = walk.cost.pulls === 0 && quietPulls > 0;
    const reason = isPaidUnseen(feed, found, walk.cost) ? 'possibly_charged' : walk.cost.reason;
    return {
      ...found,
      isComplete: false,
      pulls: Math.max(walk.cost.pulls, quietPulls),
      reason: isRequestCharged ? 'flat_request' : reason,
      isUncertain: reason === 'possibly_charged',
    };
  };
}

/**
 * A new refresh that the answer calls free was paid by a request whose answer we never got, such as a copy that a
 * network sent twice. The marketplace's usage shows whether that request has its row in the ledger already.
 */
function isPaidUnseen(
  feed: Feed,
  { snapshots }: Pick<Fetched, 'snapshots'>,
  cost: Charge,
): boolean {
  const [newest] = snapshots;
  const isNew = newest !== undefined && newest.observedAt > (feed.lastSnapshotAt ?? 0);
  return isNew && cost.reason === 'nothing_new';
}

async function readRefresh(
  deps: FetchListingsDeps,
  feed: Feed,
  walk: ReturnType<MarketplaceClient['listings']>,
  clock: MarketClock | undefined,
): Promise<Pick<Fetched, 'snapshots' | 'refreshes' | 'faults' | 'measuredMs'>> {
  const { lastRefreshedAt, serviceClock, hasRefreshed = false } = await walk.first();
  const measuredMs = readOffset(serviceClock);
  const offsetMs = takeOffset(clock, measuredMs)?.offsetMs ?? 0;
  const refreshed = refreshTime(lastRefreshedAt, { offsetMs, hasRefreshed, now: deps.now() });
  const { observedAt } = refreshed;
  const isTaken = observedAt !== undefined;
  const faults = refreshed.isWrong
    ? { future_stamp: wrongRefreshText(lastRefreshedAt, isTaken) }
    : {};
  const nothing = { snapshots: [], refreshes: [], measuredMs, faults };
  if (observedAt === undefined) return nothing;
  const filters = await filtersInUse(deps, feed.eventId);
  const newest = await newestListings(deps, feed);
  if (newest && isKnown(newest, observedAt, filters)) {
    return { ...nothing, ...unrecorded(feed, newest) };
  }
  const rows = await walk.toArray();
  const snapshot = snapshotFromListings({
    eventId: feed.eventId,
    observedAt,
    rows,
    filters,
    previous: newest && newest.observedAt < observedAt ? newest : null,
  });
  return {
    ...nothing,
    faults: { ...faults, ...oddRowFault(walk.oddRows) },
    snapshots: [keepWithin(snapshot)],
    refreshes: [observedAt],
  };
}

/**
 * The time of the listings, by our clock. If the stated time is not plausible, the rows are still current:
 * then the time of our call is used, if the answer says that they are new.
 */
function refreshTime(
  stamp: string | null | undefined,
  { offsetMs, hasRefreshed, now }: { offsetMs: number; hasRefreshed: boolean; now: number },
): { observedAt?: number; isWrong: boolean } {
  if (!stamp && !hasRefreshed) return { isWrong: false };
  const observedAt = Date.parse(stamp ?? '') - offsetMs;
  if (observedAt >= earliestStamp && observedAt <= now + futureToleranceMs) {
    return { observedAt, isWrong: false };
  }
  return { ...(hasRefreshed && { observedAt: now }), isWrong: true };
}

function wrongRefreshText(stamp: string | null | undefined, isTaken: boolean): string {
  const said = stamp
    ? `says that its listings refreshed at ${stamp}, which is not plausible`
    : 'does not say when its listings refreshed';
  const done = isTaken ? 'the time of our call is used instead' : 'they wait for the next refresh';
  return `The market ${said}; ${done}.`;
}

async function filtersInUse(deps: FetchListingsDeps, eventId: number): Promise<string[]> {
  const series = await deps.seriesOf(eventId);
  const own = series.filter((key) => feedKindOf(key) === 'listings');
  return [...new Set(own.flatMap((key) => filterOf(parseSeries(key).base) ?? []))];
}

async function newestListings(
  deps: FetchListingsDeps,
  { eventId }: Feed,
): Promise<ListingsSnapshot | null> {
  const newest = await deps.newestSnapshot({ eventId, kind: 'listings' });
  return newest?.feedKind === 'listings' ? newest : null;
}

/**
 * The newest stored snapshot if the feed does not know it, because its worker died after it stored the
 * snapshot. It counts as news again, so that it is matched.
 */
function unrecorded(
  { lastSnapshotAt = 0 }: Feed,
  newest: ListingsSnapshot,
): Pick<Fetched, 'snapshots' | 'refreshes'> {
  if (newest.observedAt <= lastSnapshotAt) return { snapshots: [], refreshes: [] };
  return { snapshots: [newest], refreshes: [newest.observedAt] };
}

function isKnown(
  newest: ListingsSnapshot,
  observedAt: number,
  filters: readonly string[],
): boolean {
  if (newest.observedAt < observedAt) return false;
  return filters.every((filter) => Object.hasOwn(newest.filters, filter));
}

/** With many filters, each keeps fewer matches (the cheapest), so that the item stays below its size limit. */
function keepWithin(snapshot: ListingsSnapshot): ListingsSnapshot {
  const filters = Object.entries(snapshot.filters);
  const most = Math.max(1, Math.floor(matchesPerSnapshot / Math.max(1, filters.length)));
  return {
    ...snapshot,
    filters: Object.fromEntries(
      filters.map(([filter, summary]) => [
        filter,
        { ...summary, matches: summary.matches.slice(0, most) },
      ]),
    ),
  };
}
