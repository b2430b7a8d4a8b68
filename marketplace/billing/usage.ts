/**
 * The request log, kept as counters per minute, and the usage counted from it and from the ledger.
 */
import type { UsageJson } from '#shared/marketplace/contract.ts';
import { toIso } from '../clock.ts';
import type { Store } from '../store/store.ts';
import type { BillingAccount } from './accounts.ts';
import { billingPeriodAt } from './period.ts';

const minuteMs = 60_000;

/** The endpoints that `totals` counts. */
const countedEndpoints = {
  search: 'GET /v1/events/search',
  legacySearch: 'POST /v0.3.1/events/search',
  dailyCsv: 'GET /v0.5/daily-csv/download',
} as const;

/** One request of an account; `at` is the real time, epoch milliseconds. */
interface Request {
  accountId: number;
  endpoint: string;
  at: number;
}

export interface RequestLog {
  /** Counts one request. Cycles start on whole minutes, so counters per minute never span two. */
  note(request: Request): void;
  /** Counts a daily CSV request that delivered a file; a refused request is no download. */
  noteDownload(o: Omit<Request, 'endpoint'>): void;
  /** Writes the counts that are only in memory. */
  flush(): void;
  /** Drops the counts that are only in memory. */
  forget(): void;
}

/** How long requests are counted in memory: one write per request costs more than most answers. */
const writeEveryMs = 100;

/** If the process dies, the counts of the last moment are lost, but never a charge. */
export function createRequestLog(store: Store): RequestLog {
  const pending = new Map<string, Request & { tally: number; delivered: number }>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    store.transaction(() => {
      for (const counted of pending.values()) writeCount(store, counted);
    });
    pending.clear();
  };
  // An import may lock the file for longer than SQLite waits: then keep the counts and retry.
  const flushLater = (): void => {
    try {
      flush();
    } catch {
      timer = setTimeout(flushLater, writeEveryMs).unref();
    }
  };
  const count = (request: Request, more: { tally: number; delivered: number }): void => {
    const key = `${request.accountId} ${Math.floor(request.at / minuteMs)} ${request.endpoint}`;
    const counted = pending.get(key) ?? { ...request, tally: 0, delivered: 0 };
    counted.tally += more.tally;
    counted.delivered += more.delivered;
    pending.set(key, counted);
    timer ??= setTimeout(flushLater, writeEveryMs).unref();
  };
  return {
    note: (request) => count(request, { tally: 1, delivered: 0 }),
    noteDownload: (o) =>
      count({ ...o, endpoint: countedEndpoints.dailyCsv }, { tally: 0, delivered: 1 }),
    flush,
    forget: () => pending.clear(),
  };
}

function writeCount(store: Store, o: Request & { tally: number; delivered: number }): void {
  store.run(
    `INSERT INTO requests (account_id, minute, endpoint, tally, delivered) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET tally = tally + excluded.tally,
       delivered = delivered + excluded.delivered`,
    o.accountId,
    Math.floor(o.at / minuteMs),
    o.endpoint,
    o.tally,
    o.delivered,
  );
}

type EndpointCount = {
  endpoint: string;
  count: number;
};

/** Usage over the account's current billing cycle (api.md, Usage). */
export function countUsage(store: Store, account: BillingAccount, now: number): UsageJson {
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
