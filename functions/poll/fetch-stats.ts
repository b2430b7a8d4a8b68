// Fetches an event's new stats snapshots through the marketplace client.
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { type BillingAssumptions, pullsOfEmptyStats } from '#shared/polling/assumptions.ts';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { countingCost, type FetchFeed } from './fetch.ts';

/** The service's largest page: fewest calls for a catch-up (api.md, Limits). */
const rowsPerPage = 200;

/** Asks for everything after the newest stored snapshot, which is also the last one paid for. */
export function createFetchStats(
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'stats'>>,
  assumptions: BillingAssumptions,
  now: () => number,
): FetchFeed {
  return async function fetchStats({ eventId, lastSnapshotAt, lastPaidAt }, { budgetMs, plan }) {
    const newestStored =
      lastSnapshotAt === undefined ? undefined : new Date(lastSnapshotAt).toISOString();
    const client = await readMarketplace();
    const walk = client.stats(eventId, {
      startDate: newestStored,
      lastPaidSnapshotAt: newestStored ?? null,
      limit: rowsPerPage,
      deadlineMs: now() + budgetMs,
    });
    const rows = await countingCost(walk, () => walk.toArray());
    // The service promises no order (facts.md), and may send a snapshot twice while it is written.
    const byTime = new Map(
      rows.map((row) => snapshotFromStats(eventId, row)).map((each) => [each.observedAt, each]),
    );
    const snapshots = [...byTime.values()].sort((a, b) => a.observedAt - b.observedAt);
    const empty = pullsOfEmptyStats(
      {
        isDated: newestStored !== undefined,
        hasSnapshots: (walk.firstPage?.availableZones?.length ?? 0) > 0,
        wasPaidBefore: lastPaidAt !== undefined,
      },
      plan,
      assumptions,
    );
    const cost = rows.length > 0 ? walk.cost : empty;
    return {
      snapshots,
      refreshes: snapshots.map(({ observedAt }) => observedAt),
      isComplete: true,
      pulls: cost.pulls,
      reason: cost.reason,
    };
  };
}
