// Fetches an event's new stats snapshots through the marketplace client.
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { FetchStats } from './poll.ts';

/** The service's largest page: fewest calls for a catch-up (api.md, Limits). */
const rowsPerPage = 200;

/** Asks for everything after the newest stored snapshot, which is also the last one paid for. */
export function createFetchStats(
  readMarketplace: () => Promise<MarketplaceClient>,
  now: () => number,
): FetchStats {
  return async function fetchStats(eventId, after, budgetMs) {
    const newestStored = after === undefined ? undefined : new Date(after).toISOString();
    const client = await readMarketplace();
    const walk = client.stats(eventId, {
      startDate: newestStored,
      lastPaidSnapshotAt: newestStored ?? null,
      limit: rowsPerPage,
      deadlineMs: now() + budgetMs,
    });
    const rows = await walk.toArray();
    return { rows, pulls: walk.cost.pulls, reason: walk.cost.reason };
  };
}
