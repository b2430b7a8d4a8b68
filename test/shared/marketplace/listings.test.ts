import { describe, expect, it } from 'vitest';
import {
  createBench,
  hangUp,
  json,
  raw,
  startFakeService,
} from '#test/support/marketplace/fake-service.ts';

const LISTING = {
  listing_id: 13_000_000_001,
  active: true,
  zone: 'Lower',
  section: '101',
  row: 'A',
  quantity_start: 4,
  quantity: 2,
  price: 80.5,
  created_at: '2026-10-01T00:00:00Z',
  updated_at: '2026-10-02T00:00:00Z',
};
const { created_at: _created, updated_at: _updated, ...SEATS } = LISTING;

function aPage(data: unknown[], hasRefreshed: boolean) {
  return {
    event_id: 7,
    service_event_id: 7,
    sh_event_id: 8,
    vs_event_id: null,
    data,
    has_more: false,
    next_cursor: null,
    total_count: data.length,
    has_refreshed: hasRefreshed,
    last_refreshed_at: '2026-10-02T00:00:00Z',
  };
}

describe('listings', () => {
  it('come with the ids of both marketplaces and the refresh', async () => {
    const service = await startFakeService(json(aPage([LISTING], true)));
    await expect(createBench(service.url).client.listingsPage(7)).resolves.toMatchObject({
      data: [{ listing_id: 13_000_000_001, price: 80.5 }],
      serviceEventId: 7,
      shEventId: 8,
      vsEventId: null,
      hasRefreshed: true,
      lastRefreshedAt: '2026-10-02T00:00:00Z',
      totalCount: 1,
    });
  });

  it.each([
    ['refreshed', aPage([LISTING], true), 1, 'data'],
    ['not refreshed', aPage([LISTING], false), 0, 'nothing_new'],
    ['nothing under the filter', aPage([], true), 0, 'no_data'],
  ])('cost by the first page: %s', async (_, body, pulls, reason) => {
    const service = await startFakeService(json(body));
    const page = await createBench(service.url).client.listingsPage(7);
    expect(page.cost).toEqual({ pulls, reason });
  });

  it('may have been charged to an attempt whose answer was lost', async () => {
    const service = await startFakeService(hangUp, json(aPage([LISTING], false)));
    const page = await createBench(service.url).client.listingsPage(7);
    expect(page.cost).toEqual({ pulls: 1, reason: 'possibly_charged' });
  });

  it('were not charged to a refused attempt', async () => {
    const service = await startFakeService(raw('', 429), json(aPage([LISTING], false)));
    const page = await createBench(service.url).client.listingsPage(7);
    expect(page.cost).toEqual({ pulls: 0, reason: 'nothing_new' });
  });
});

describe('v0.x listings', () => {
  const answer = (hasRefreshed: number, listings: unknown[]) => ({
    has_refreshed: hasRefreshed,
    last_refresh_timestamp: 1_757_000_000,
    listings,
  });

  it.each([
    [{}, '/v0.1.1/listings/get'],
    [{ version: 'v0.1' as const }, '/v0.1/listings/get'],
  ])('are requested by version %o', async (options, path) => {
    const service = await startFakeService(json(answer(1, [{ ...SEATS, active: 1 }])));
    const { client } = createBench(service.url);
    const result = await client.legacyListings({ marketplaceEventId: 8 }, options);
    expect(service.seen[0]).toMatchObject({ path, query: { event_id_sh: '8' } });
    expect(result).toMatchObject({
      data: { last_refresh_timestamp: 1_757_000_000, listings: [{ active: 1 }] },
      cost: { pulls: 1, reason: 'data' },
    });
  });

  it('are free when not refreshed', async () => {
    const service = await startFakeService(json(answer(0, [{ ...SEATS, active: 0 }])));
    const result = await createBench(service.url).client.legacyListings(7);
    expect(result.cost).toEqual({ pulls: 0, reason: 'nothing_new' });
    expect(service.seen[0]?.query).toEqual({ event_id: '7' });
  });

  it('with a fractional id are a ContractError', async () => {
    const service = await startFakeService(json(answer(1, [{ ...SEATS, listing_id: 1.5 }])));
    await expect(createBench(service.url).client.legacyListings(7)).rejects.toMatchObject({
      name: 'ContractError',
      path: 'listings.0.listing_id',
    });
  });
});
