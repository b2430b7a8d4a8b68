import { describe, expect, it } from 'vitest';
import { batchCharge } from '#shared/marketplace/charge.ts';
import { createBench, json, startFakeService } from '#test/support/marketplace/fake-service.ts';

const sale = (listingId: number) => ({
  timestamp: 1_757_000_000,
  quantity: 0,
  price: 80,
  zone: 'Lower',
  section: '101',
  row: 'A',
  listing_id: listingId,
  source: 'sh',
  all_in_price: null,
});
const status = (source: string) => ({
  source,
  collecting_since: null,
  tracked_for_event: false,
  status: 'ok',
});
const SOURCES = [status('sh'), status('vs')];

describe('a batch of sales', () => {
  it('sends each id once, as an integer, and the source as a query parameter', async () => {
    const service = await startFakeService(json({ results: {}, errors: {}, sources: {} }));
    const { client } = createBench(service.url);
    await client.salesBatch({ eventIds: ['7', 7, 8], marketplaceEventIds: [9] }, { source: 'all' });
    expect(service.seen[0]).toMatchObject({
      method: 'POST',
      path: '/v1/events/sales/batch',
      query: { source: 'all' },
      body: '{"event_ids":[7,8],"event_ids_sh":[9]}',
    });
  });

  it('gives rows, per-event failures and sources as data, with the cost', async () => {
    const service = await startFakeService(
      json({
        results: { 7: [sale(1)], 8: [] },
        errors: { 9: 'payment_required', 10: 'not_found' },
        sources: { 7: SOURCES, 8: SOURCES },
      }),
    );
    const result = await createBench(service.url).client.salesBatch({ eventIds: [7, 8, 9, 10] });
    expect(result.cost).toEqual({ pulls: 1, reason: 'data' });
    expect(result.data.errors).toEqual({ 9: 'payment_required', 10: 'not_found' });
    expect(result.data.results[7]).toMatchObject([{ listing_id: 1 }]);
  });

  it.each([
    ['no id', {}],
    ['101 ids', { eventIds: Array.from({ length: 101 }, (_, id) => id) }],
    [
      '101 ids over both lists',
      {
        eventIds: Array.from({ length: 50 }, (_, id) => id),
        marketplaceEventIds: Array.from({ length: 51 }, (_, id) => 1000 + id),
      },
    ],
    ['a fraction', { eventIds: [1.5] }],
    ['a word', { eventIds: ['seven'] }],
    ['one id in both lists', { eventIds: [7], marketplaceEventIds: [7] }],
  ])('of %s is refused unsent', async (_, events) => {
    const service = await startFakeService(json({}));
    const { client } = createBench(service.url);
    await expect(client.salesBatch(events)).rejects.toMatchObject({ name: 'InvalidRequestError' });
    await expect(client.legacySalesBatch(events)).rejects.toMatchObject({ status: undefined });
    expect(service.seen).toHaveLength(0);
  });

  it('counts repeats once before it counts to a hundred', async () => {
    const service = await startFakeService(json({ results: {}, errors: {}, sources: {} }));
    const eventIds = Array.from({ length: 300 }, (_, index) => index % 100);
    await createBench(service.url).client.salesBatch({ eventIds });
    expect(JSON.parse(service.seen[0]?.body ?? '').event_ids).toHaveLength(100);
  });

  it('passes an unknown failure code through', async () => {
    const service = await startFakeService(
      json({ results: {}, errors: { 7: 'gone' }, sources: {} }),
    );
    const call = createBench(service.url).client.salesBatch({ eventIds: [7] });
    await expect(call).resolves.toMatchObject({ data: { errors: { 7: 'gone' } } });
  });
});

describe('the charge of a batch', () => {
  it.each([
    ['one per event with rows', { a: [sale(1)], b: [sale(2)], c: [] }, ['a', 'b', 'c'], [], 2],
    ['one for an event under both of its ids', { a: [sale(1)], x: [sale(1)] }, ['a'], ['x'], 1],
    ['two for two events', { a: [sale(1)], x: [sale(2)] }, ['a'], ['x'], 2],
  ])('is %s', (_, results, serviceKeys, marketplaceKeys, pulls) => {
    const charge = batchCharge({ results, serviceKeys, marketplaceKeys });
    expect(charge).toEqual({ pulls, reason: 'data' });
  });

  it('is nothing without rows', () => {
    const charge = batchCharge({ results: {}, serviceKeys: ['a'], marketplaceKeys: [] });
    expect(charge).toEqual({ pulls: 0, reason: 'no_data' });
  });
});
