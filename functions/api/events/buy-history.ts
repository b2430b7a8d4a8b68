// Buys the stats of an event before a preview: one pull brings the series. The rows serve this preview only:
// a watch's first poll stores the series anyway.
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { MarketplaceError } from '#shared/marketplace/errors.ts';
import type { StatsSnapshot } from '#shared/marketplace/reading/stats.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { type MarketSnapshot, snapshotFromStats } from '#shared/rules/snapshot.ts';
import { timing } from '#shared/timing.ts';
import type { OwnerCalls } from './owner-charge.ts';
import { createPayCall, type PayCallDeps } from './pay-call.ts';

/** An owner’s request for an event's prices from a time on; times are epoch milliseconds. */
export interface WantedHistory {
  eventId: number;
  ownerId: string;
  from: number;
  through: number;
  now: number;
}

export interface BoughtHistory {
  /** In the service's order. */
  snapshots: MarketSnapshot[];
  pulls: number;
  /** False if the time was over before the last page; then the newest are missing. */
  isWhole: boolean;
}

/** @throws ProblemError when there is no such event, or it can't be bought now. */
export type BuyHistory = (request: WantedHistory) => Promise<BoughtHistory>;

interface BuyHistoryDeps extends PayCallDeps {
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'stats'>>;
}

/** A purchase reads dozens of pages of the 500 stats calls a minute; the rest is for polls. */
const purchases: OwnerCalls = {
  shared: { name: 'buy_history', what: 'purchases of history', limit: 4, windowSeconds: 60 },
  doing: 'buying history',
  refused: 'this event’s history can’t be bought',
  instead: 'preview without buy_history',
};

/** The service's largest page: fewest calls (api.md, Limits). */
const rowsPerPage = 200;

/** The use case. Costs at most one pull, and none if nothing is new since the last paid call. */
export function createBuyHistory(deps: BuyHistoryDeps): BuyHistory {
  const payCall = createPayCall(deps);

  return async function buyHistory(request) {
    const { eventId, ownerId, now } = request;
    return payCall({
      ...{ ownerId, now, calls: purchases, field: 'event_id', kind: metricsFeed },
      ...{ reason: 'buy_history', about: eventId, eventId },
      call: () => readSeries(request),
    });
  };

  async function readSeries({ eventId, from, through, now }: WantedHistory) {
    const client = await deps.readMarketplace();
    const walk = client.stats(eventId, {
      startDate: new Date(from).toISOString(),
      limit: rowsPerPage,
      deadlineMs: now + timing.apiMarketplaceMs,
    });
    const rows: StatsSnapshot[] = [];
    let isWhole = true;
    try {
      for await (const row of walk) rows.push(row);
    } catch (error) {
      // Later pages are free; what came before the deadline is paid for, so use it.
      if (!(error instanceof MarketplaceError) || rows.length === 0) throw error;
      isWhole = false;
    }
    const snapshots = rows
      .map((row) => snapshotFromStats(eventId, row))
      .filter(({ observedAt }) => observedAt <= through);
    const { pulls, reason } = walk.cost;
    return { eventId, snapshots, isWhole, pulls, isUncertain: reason === 'possibly_charged' };
  }
}
