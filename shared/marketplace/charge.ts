/**
 * What a call cost, in pulls, from its answer alone, by api.md's billing tables. Pure; keeps no
 * balance and calls nothing.
 */
import type { ListingsPage, StatsSnapshot } from './contract.ts';

/**
 * Why a call cost what it did:
 * - `free`: the endpoint, or a continuation page, costs nothing;
 * - `no_data`: there was nothing to sell;
 * - `nothing_new`: no newer data than the last paid pull's;
 * - `data`: data that was paid for came back;
 * - `possibly_charged`: the answer can't tell; `pulls` is the upper bound.
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
const POSSIBLY_ONE: Charge = { pulls: 1, reason: 'possibly_charged' };

/** First page of sales, or v0.x sales: one pull when there is at least one row. */
export function salesCharge(rows: readonly unknown[]): Charge {
  return rows.length === 0 ? NO_DATA : ONE_PULL;
}

/**
 * First page of listings (api.md, listings rule 2): charged on refresh, free when the filter leaves
 * nothing. When an earlier attempt's answer was lost, that attempt may have been the charged one.
 */
export function listingsCharge(
  page: Pick<ListingsPage, 'has_refreshed'> & { rows: readonly unknown[] },
  hadLostAnswer: boolean,
): Charge {
  if (page.rows.length === 0) return NO_DATA;
  if (page.has_refreshed === true) return ONE_PULL;
  return hadLostAnswer ? POSSIBLY_ONE : NOTHING_NEW;
}

/** What is known of an event's stats after some pages of a walk, or a single first page. */
export interface StatsView {
  /** Rows of all pages so far. */
  rowCount: number;
  /** Time of the newest row so far, epoch milliseconds. */
  newestMs: number | undefined;
  /** Time of the newest snapshot that was paid for before, epoch milliseconds. */
  lastPaidMs: number | undefined;
  /** Nothing can lie beyond what was seen: no page is left and no filter hides newer rows. */
  sawNewest: boolean;
  /** The event has no zones listed: it has no snapshot either. */
  isEmptyEvent: boolean;
}

/** Stats (api.md, stats billing): charged when a newer snapshot exists than the last paid one. */
export function statsCharge(view: StatsView): Charge {
  const { rowCount, newestMs, lastPaidMs, sawNewest, isEmptyEvent } = view;
  if (rowCount === 0 && isEmptyEvent) return NO_DATA;
  if (lastPaidMs === undefined) return POSSIBLY_ONE;
  if (newestMs !== undefined && newestMs > lastPaidMs) return ONE_PULL;
  return sawNewest ? NOTHING_NEW : POSSIBLY_ONE;
}

/**
 * Stats asked for again within one walk: an end date may hide the snapshot that is charged for.
 */
export function restartCharge(view: { hasGrown: boolean; hidesNewer: boolean }): Charge {
  if (view.hasGrown) return ONE_PULL;
  return view.hidesNewer ? POSSIBLY_ONE : NOTHING_NEW;
}

/** Time of the newest of some snapshots, in any order. */
export function newestOf(
  rows: readonly StatsSnapshot[],
  soFarMs: number | undefined,
): number | undefined {
  return rows.reduce<number | undefined>((newest, row) => {
    const atMs = Date.parse(row.timestamp);
    return newest === undefined || atMs > newest ? atMs : newest;
  }, soFarMs);
}

export interface BatchResults {
  results: Record<string, readonly unknown[]>;
  /** Keys asked for by service id. */
  serviceKeys: readonly string[];
  /** Keys asked for by marketplace id. */
  marketplaceKeys: readonly string[];
}

/**
 * A batch: one pull per event with rows. An event asked for by both of its ids stands under both
 * keys but is one event; equal rows give it away.
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
