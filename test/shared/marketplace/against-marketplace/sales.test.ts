import { describe, expect, it } from 'vitest';
import {
  anEvent,
  createMarketplaceBench,
  sales,
} from '#test/support/marketplace/marketplace-bench.ts';

const HOUR_MS = 3_600_000;

describe('sales', () => {
  const observed = { events: [anEvent(7), anEvent(8)], sales: sales(7, 5) };

  it('are walked newest first and cost one pull', async () => {
    const bench = createMarketplaceBench(observed);
    const walk = bench.client().sales(7, { limit: 2, source: 'all' });
    expect((await walk.toArray()).map((row) => row.price)).toEqual([54, 53, 52, 51, 50]);
    expect(await walk.first()).toMatchObject({
      totalCount: 5,
      sources: [{ source: 'sh', status: 'ok' }, { source: 'vs' }],
    });
    expect(walk.cost).toEqual({ pulls: 1, reason: 'data' });
    expect(bench.chargedPulls()).toBe(1);
  });

  it('of a restarted walk cost two pulls', async () => {
    const bench = createMarketplaceBench(observed);
    const walk = bench.client().sales({ marketplaceEventId: 1007 }, { limit: 3 });
    const prices: number[] = [];
    for await (const row of walk) {
      prices.push(row.price);
      if (prices.length === 3) bench.advance(HOUR_MS + 1000);
    }
    expect(prices).toEqual([54, 53, 52, 51, 50]);
    expect(walk.cost).toEqual({ pulls: 2, reason: 'data' });
    expect(bench.chargedPulls()).toBe(2);
  });

  it('of an event without any are free', async () => {
    const bench = createMarketplaceBench(observed);
    const page = await bench.client().salesPage(8);
    expect(page).toMatchObject({ data: [], totalCount: 0, cost: { pulls: 0 } });
    expect(bench.chargedPulls()).toBe(0);
  });

  it.each(['v0.1', 'v0.2', 'v0.3'] as const)('come whole by %s', async (version) => {
    const bench = createMarketplaceBench(observed);
    const result = await bench.client().legacySales(7, { version });
    expect(result.data).toHaveLength(5);
    expect(result.data[0]).toEqual({
      timestamp: 1_792_583_940,
      quantity: 2,
      price: 54,
      zone: 'Lower',
      section: '101',
      row: 'A',
    });
    expect(result.cost.pulls).toBe(bench.chargedPulls());
  });

  it('come by the batch, an event under both ids charged once', async () => {
    const bench = createMarketplaceBench(observed);
    const events = { eventIds: [7, 8, 99], marketplaceEventIds: [1007] };
    const result = await bench.client().salesBatch(events, { source: 'all' });
    expect(Object.keys(result.data.results).sort()).toEqual(['1007', '7', '8']);
    expect(result.data.errors).toEqual({ 99: 'not_found' });
    expect(result.cost).toEqual({ pulls: 1, reason: 'data' });
    expect(bench.chargedPulls()).toBe(1);
  });

  it('come by the v0.3 batch', async () => {
    const bench = createMarketplaceBench(observed);
    const result = await bench.client().legacySalesBatch({ eventIds: [7, 8] });
    expect(result.data.results['7']).toHaveLength(5);
    expect(result.cost).toEqual({ pulls: 1, reason: 'data' });
    expect(bench.chargedPulls()).toBe(1);
  });

  it('of a batch beyond the balance are served up to the balance', async () => {
    const ids = [1, 2, 3, 4, 5, 6, 7];
    const bench = createMarketplaceBench({
      events: ids.map((id) => anEvent(id)),
      sales: ids.flatMap((id) => sales(id, 1)),
    });
    const result = await bench.client('lowBalance').salesBatch({ eventIds: ids });
    expect(result.cost).toEqual({ pulls: 5, reason: 'data' });
    expect(result.data.errors).toEqual({ 6: 'payment_required', 7: 'payment_required' });
    const call = bench.client('lowBalance').salesBatch({ eventIds: [6, 7] });
    await expect(call).rejects.toMatchObject({ name: 'PaymentRequiredError', balance: 0 });
    expect(bench.chargedPulls('lowBalance')).toBe(5);
  });
});
