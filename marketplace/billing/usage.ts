/**
 * The request log, kept as counters per minute, and the usage counted from it and from the ledger.
 */
import type { Usage } from '#shared/marketplace/contract.ts';
import { toIso } from '../clock.ts';
import type { Store } from '../store/store.ts';
import type { Account } from './accounts.ts';
import { billingPeriodAt } from './period.ts';

const minuteMs = 60_000;

/** Endpoints whose calls `totals` names. */
const countedEndpoints = {
  search: 'GET /v1/events/search',
  legacySearch: 'POST /v0.3.1/events/search',
  dailyCsv: 'GET /v0.5/daily-csv/download',
} as const;

/** Counts one request of an account. Cycles start on whole minutes, so the counters split there. */
export function logRequest(
  store: Store,
  o: { accountId: number; endpoint: string; at: number },
): void {
  store.run(
    `INSERT INTO requests (account_id, minute, endpoint, tally) VALUES (?, ?, ?, 1)
     ON CONFLICT DO UPDATE SET tally = tally + 1`,
    o.accountId,
    Math.floor(o.at / minuteMs),
    o.endpoint,
  );
}

/** Notes that a logged request of the daily CSV delivered a file; a refused one is no download. */
export function logDownload(store: Store, o: { accountId: number; at: number }): void {
  store.run(
    `UPDATE requests SET delivered = delivered + 1
     WHERE account_id = ? AND minute = ? AND endpoint = ?`,
    o.accountId,
    Math.floor(o.at / minuteMs),
    countedEndpoints.dailyCsv,
  );
}

type EndpointCount = {
  endpoint: string;
  count: number;
};

/** Usage over the account's current billing cycle (api.md, Usage). */
export function countUsage(store: Store, account: Account, now: number): Usage {
  const period = billingPeriodAt(account.periodAnchor, now);
  const calls = store.all<EndpointCount>(
    `SELECT endpoint, sum(tally) AS count FROM requests
     WHERE account_id = ? AND minute >= ? GROUP BY endpoint ORDER BY endpoint`,
    account.id,
    Math.floor(period.start / minuteMs),
  );
  const callsTo = (endpoint: string) => calls.find((c) => c.endpoint === endpoint)?.count ?? 0;
  const pulls = countPulls(store, account.id, period.start);
  return {
    period_start: toIso(period.start),
    period_end: toIso(period.end),
    totals: {
      api_calls: calls.reduce((sum, call) => sum + call.count, 0),
      events_searched: callsTo(countedEndpoints.search) + callsTo(countedEndpoints.legacySearch),
      salesdata_pulls: pulls.get('salesdata') ?? 0,
      listings_pulls: pulls.get('listings') ?? 0,
      stats_pulls: pulls.get('stats') ?? 0,
      daily_csv_downloads: countDownloads(store, account.id, period.start),
    },
    by_endpoint: calls,
  };
}

function countDownloads(store: Store, accountId: number, since: number): number {
  return store.count(
    `SELECT coalesce(sum(delivered), 0) AS tally FROM requests WHERE account_id = ? AND minute >= ?`,
    accountId,
    Math.floor(since / minuteMs),
  );
}

function countPulls(store: Store, accountId: number, since: number): Map<string, number> {
  const rows = store.all<{ kind: string; pulls: number }>(
    `SELECT kind, sum(pulls) AS pulls FROM ledger
     WHERE account_id = ? AND at >= ? AND kind IS NOT NULL GROUP BY kind`,
    accountId,
    since,
  );
  return new Map(rows.map(({ kind, pulls }) => [kind, pulls]));
}
