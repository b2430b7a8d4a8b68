/**
 * The cost of a call in pulls, computed from its answer by api.md's billing tables. Pure: keeps no
 * balance.
 */
import type { StatsSnapshot } from './reading/stats.ts';

/**
 * Why a call cost its number of pulls:
 * - `free`: the endpoint, or a continuation page, costs nothing;
 * - `no_data`: the answer has no data to charge for;
 * - `nothing_new`: no data newer than the last paid pull's;
 * - `data`: the answer has data that was charged;
 * - `possibly_charged`: the answer doesn't tell; `pulls` is the upper bound.
 */
export type ChargeReason = 'free' | 'no_data' | 'nothing_new' | 'data' | 'possibly_charged';

export interface Charge {
  pulls: number;
  reason: ChargeReason;
}

export const FREE: Charge = { pulls: 0, reason: 'free' };
const NO_DATA: Charge = { pulls: 0, reason: 'no_data' };
const NOTHING_NEW: Charge = { pulls: 0, reason: 'nothing_new' };
const ONE_PULL: Charge = { pulls: 1, reason: 'data' };

function possibly(pulls: number): Charge {
  return { pulls, reason: 'possibly_charged' };
}

/**
 * One pull for this answer and one for each earlier attempt whose answer was lost: new data may
 * have arrived between any two of them.
 */
function onePullAnd(lostAttempts: number): Charge {
  return lostAttempts === 0 ? ONE_PULL : possibly(1 + lostAttempts);
}

/** First page of sales, or v0.x sales: one pull when there is at least one row. */
export function salesCharge(rows: readonly unknown[]): Charge {
  return rows.length === 0 ? NO_DATA : ONE_PULL;
}

/**
 * First page of listings (api.md, listings rule 2): charged on refresh, free when the filter leaves
 * no rows. Each earlier attempt whose answer was lost may have been charged for its own refresh,
 * even for rows that are gone now.
 */
export function listingsCharge(
  page: {
    rows: readonly unknown[];
    /** Undefined when the answer does not say whether it was charged. */
    hasRefreshed: boolean | undefined;
    /** The event has never refreshed. */
    isEmptyEvent: boolean;
  },
  lostAttempts: number,
): Charge {
  if (page.isEmptyEvent) return NO_DATA;
  if (page.rows.length > 0 && page.hasRefreshed === true) return onePullAnd(lostAttempts);
  if (page.rows.length > 0 && page.hasRefreshed === undefined) return possibly(1 + lostAttempts);
  if (lostAttempts > 0) return possibly(lostAttempts);
  return page.rows.length === 0 ? NO_DATA : NOTHING_NEW;
}

/** The facts about an event's stats after some pages of a walk, or after a single first page. */
export interface StatsView {
  /** Rows of all pages so far. */
  rowCount: number;
  /** Time of the newest snapshot paid for before this walk, epoch milliseconds. */
  lastPaidMs: number | undefined;
  /** Every newer snapshot was seen: no page is left and no filter hides newer rows. */
  sawNewest: boolean;
  /** The event lists no zones, so it has no snapshot. */
  isEmptyEvent: boolean;
  /** Rows that are newer than the last paid one. */
  newerCount: number;
  /** Attempts at the first page whose answers were lost. */
  lostAttempts: number;
}

/**
 * Stats (api.md, stats billing): charged when a snapshot is newer than the last paid one. Two
 * charges are at least one snapshot apart, so lost attempts cost no more than the number of newer
 * snapshots.
 */
export function statsCharge(view: StatsView): Charge {
  const { rowCount, newerCount, lastPaidMs, sawNewest, isEmptyEvent, lostAttempts } = view;
  if (rowCount === 0 && isEmptyEvent) return NO_DATA;
  if (lastPaidMs === undefined) return possibly(1 + lostAttempts);
  if (newerCount === 0) return sawNewest ? NOTHING_NEW : possibly(1 + lostAttempts);
  return onePullAnd(sawNewest ? Math.min(lostAttempts, newerCount - 1) : lostAttempts);
}

/**
 * The charge of a restart within one walk: an end date may hide the snapshot that is charged for.
 */
export function restartCharge(view: {
  /** Snapshots added since the previous pass. */
  grownBy: number;
  hidesNewer: boolean;
  lostAttempts: number;
}): Charge {
  const { grownBy, hidesNewer, lostAttempts } = view;
  if (hidesNewer) return grownBy > 0 ? onePullAnd(lostAttempts) : possibly(1 + lostAttempts);
  if (grownBy === 0) return NOTHING_NEW;
  return onePullAnd(Math.min(lostAttempts, grownBy - 1));
}

/** How many of the snapshots are newer than the last paid one. */
export function countNewer(rows: readonly StatsSnapshot[], lastPaidMs: number | undefined): number {
  if (lastPaidMs === undefined) return rows.length;
  return rows.filter((row) => Date.parse(row.timestamp) > lastPaidMs).length;
}

export interface BatchResults {
  results: Record<string, readonly unknown[]>;
  /** Keys requested by service id. */
  serviceKeys: readonly string[];
  /** Keys requested by marketplace id. */
  marketplaceKeys: readonly string[];
}

/**
 * A batch: one pull per event with rows. An event requested by both of its ids is answered under
 * both keys but charged once; equal rows reveal it.
 */
export function batchCharge({ results, serviceKeys, marketplaceKeys }: BatchResults): Charge {
  const withRows = (key: string) => (results[key]?.length ?? 0) > 0;
  const byService = serviceKeys.filter(withRows);
  const seen = new Set(byService.map((key) => JSON.stringify(results[key])));
  const byMarketplace = marketplaceKeys.filter(
    (key) => withRows(key) && !seen.has(JSON.stringify(results[key])),
  );
  const pulls = byService.length + byMarketplace.length;
  return pulls === 0 ? NO_DATA : { pulls, reason: 'data' };
}
