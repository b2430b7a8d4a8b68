import { describe, expect, it } from 'vitest';
import {
  anEvent,
  anEventWithHistory,
  aRefresh,
  createMarketplaceBench,
  START_MS,
} from '#test/support/marketplace/marketplace-bench.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

describe('stats', () => {
  it('are walked in pages and cost one pull', async () => {
    const bench = createMarketplaceBench(anEventWithHistory());
    const walk = bench.client().stats(7, { limit: 2, lastPaidSnapshotAt: null });
    const rows = await walk.toArray();
    expect(rows.map((row) => row.timestamp)).toEqual([
      '2026-10-21T11:55:00.000Z',
      '2026-10-21T11:56:00.000Z',
      '2026-10-21T11:57:00.000Z',
      '2026-10-21T11:58:00.000Z',
      '2026-10-21T11:59:00.000Z',
    ]);
    expect(rows[0]).toMatchObject({ get_in: 100, total_listings_active: 5 });
    expect(await walk.first()).toMatchObject({ availableZones: ['Lower'], totalCount: 5 });
    expect(walk.cost).toEqual({ pulls: 1, reason: 'data' });
    expect(bench.chargedPulls()).toBe(1);
  });

  it('cost what the service charges, poll after poll', async () => {
    const bench = createMarketplaceBench(anEventWithHistory());
    const client = bench.client();
    let lastPaidSnapshotAt: string | null = null;
    const costs: number[] = [];
    for (const hasNew of [true, false, true, true, false]) {
      if (hasNew) {
        bench.advance(MINUTE_MS);
        bench.observe({ listing_sets: [aRefresh(7, bench.now(), [90])] });
      }
      const startDate = lastPaidSnapshotAt ?? '2026-10-01';
      const walk = client.stats(7, { startDate, lastPaidSnapshotAt });
      const rows = await walk.toArray();
      lastPaidSnapshotAt = rows.at(-1)?.timestamp ?? lastPaidSnapshotAt;
      costs.push(walk.cost.pulls);
      expect(walk.cost.reason).not.toBe('possibly_charged');
    }
    expect(costs).toEqual([1, 0, 1, 1, 0]);
    expect(bench.chargedPulls()).toBe(3);
  });

  it('of an event without snapshots are free', async () => {
    const bench = createMarketplaceBench({ events: [anEvent(7)] });
    const page = await bench.client().statsPage(7, { lastPaidSnapshotAt: null });
    expect(page).toMatchObject({ data: [], cost: { pulls: 0, reason: 'no_data' } });
    expect(bench.chargedPulls()).toBe(0);
  });

  it('of a cursor an hour old restart and give each row once', async () => {
    const bench = createMarketplaceBench(anEventWithHistory());
    const walk = bench.client().stats(7, { limit: 2, lastPaidSnapshotAt: null });
    const times: string[] = [];
    for await (const row of walk) {
      times.push(row.timestamp.slice(14, 16));
      if (times.length === 2) bench.advance(HOUR_MS + 1000);
    }
    expect(times).toEqual(['55', '56', '57', '58', '59']);
    expect(walk.restarts).toMatchObject([{ rowCount: 2, cause: { code: 'invalid_cursor' } }]);
    expect(walk.cost).toEqual({ pulls: 1, reason: 'data' });
    expect(bench.chargedPulls()).toBe(1);
  });

  it('of a restarted walk cost another pull when a snapshot arrived in between', async () => {
    const bench = createMarketplaceBench(anEventWithHistory());
    const walk = bench.client().stats(7, { limit: 2, lastPaidSnapshotAt: null });
    for await (const _ of walk) {
      if (walk.rowCount !== 2) continue;
      bench.advance(HOUR_MS + 1000);
      bench.observe({ listing_sets: [aRefresh(7, bench.now(), [90])] });
    }
    expect(walk.rowCount).toBe(6);
    expect(walk.cost).toEqual({ pulls: 2, reason: 'data' });
    expect(bench.chargedPulls()).toBe(2);
  });
});

describe('listings', () => {
  it('are walked under a filter and cost a pull per refresh', async () => {
    const bench = createMarketplaceBench(anEventWithHistory());
    bench.observe({ listing_sets: [aRefresh(7, START_MS, [100, 110])] });
    const client = bench.client();
    const active = client.listings(7, { active: true, limit: 1 });
    expect((await active.toArray()).map((row) => row.price)).toEqual([100, 110]);
    expect(await active.first()).toMatchObject({ hasRefreshed: true, shEventId: 1007 });
    expect(active.cost).toEqual({ pulls: 1, reason: 'data' });
    const gone = client.listings({ marketplaceEventId: 1007 }, { active: false, limit: 2 });
    expect(await gone.toArray()).toHaveLength(3);
    expect(gone.cost).toEqual({ pulls: 0, reason: 'nothing_new' });
    expect(bench.chargedPulls()).toBe(1);
  });

  it('share their refresh with v0.1.1', async () => {
    const bench = createMarketplaceBench(anEventWithHistory());
    const client = bench.client();
    const legacy = await client.legacyListings({ marketplaceEventId: 1007 });
    expect(legacy.cost).toEqual({ pulls: 1, reason: 'data' });
    expect(legacy.data.listings).toHaveLength(5);
    const page = await client.listingsPage(7);
    expect(page.cost).toEqual({ pulls: 0, reason: 'nothing_new' });
    const older = await client.legacyListings(7, { version: 'v0.1' });
    expect(older.data.has_refreshed).toBe(0);
    expect(bench.chargedPulls()).toBe(1);
  });

  it('under a filter that leaves nothing are free', async () => {
    const bench = createMarketplaceBench({
      events: [anEvent(7)],
      listing_sets: [aRefresh(7, START_MS, [100])],
    });
    const page = await bench.client().listingsPage(7, { active: false });
    expect(page.cost).toEqual({ pulls: 0, reason: 'no_data' });
    expect(bench.chargedPulls()).toBe(0);
  });
});
