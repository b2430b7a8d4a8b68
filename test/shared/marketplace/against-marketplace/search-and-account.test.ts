import { describe, expect, it } from 'vitest';
import { startMarketplace } from '#marketplace/start.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import {
  anEvent,
  anEventWithHistory,
  createMarketplaceBench,
  START_MS,
  sales,
} from '#test/support/marketplace/marketplace-bench.ts';

const MINUTE_MS = 60_000;

describe('search', () => {
  it('walks by pages, under one filter', async () => {
    const bench = createMarketplaceBench({ events: [1, 2, 3, 4, 5].map((id) => anEvent(id)) });
    const walk = bench.client().search({ eventName: 'knicks', limit: 2 });
    expect((await walk.toArray()).map((event) => event.event_id)).toEqual([1, 2, 3, 4, 5]);
    expect(walk.cost).toEqual({ pulls: 0, reason: 'free' });
  });

  it('finds by every filter', async () => {
    const bench = createMarketplaceBench({ events: [anEvent(1), anEvent(2, 'Nets')] });
    const page = await bench.client().searchPage({
      eventName: 'net',
      eventDate: '2026-12',
      venueName: 'gard',
      venueCity: 'new',
      venueState: 'NY',
      countryCode: 'US',
      stdVenueId: 1,
      historical: true,
    });
    expect(page.data).toMatchObject([{ event_id: 2, event_name: 'Nets' }]);
  });

  it('waits for the next window instead of exceeding the limit', async () => {
    const bench = createMarketplaceBench({ events: [anEvent(1)] });
    const client = bench.client();
    for (let call = 0; call < 7; call += 1) await client.searchPage();
    expect(bench.now()).toBe(START_MS + MINUTE_MS);
  });

  it('works by v0.3.1', async () => {
    const bench = createMarketplaceBench({ events: [anEvent(1), anEvent(2, 'Nets')] });
    const result = await bench.client().legacySearch({ eventName: 'nets' });
    expect(result).toMatchObject({
      data: { result_total: 1, errors: false, items: [{ event_id: 2, event_name: 'Nets' }] },
      cost: { pulls: 0, reason: 'free' },
    });
  });
});

describe('account, usage, jobs and catalog file', () => {
  it('give the account with its catalog', async () => {
    const { data } = await createMarketplaceBench().client().account();
    expect(data.rate_limits.events_search).toEqual({ limit: 6, window_seconds: 60 });
    expect(data.plans).toMatchObject([{ id: 'tiered', status: 'active' }]);
  });

  it('count the pulls that the client counted', async () => {
    const bench = createMarketplaceBench({ ...anEventWithHistory(), sales: sales(7, 3) });
    const client = bench.client();
    const stats = await client.statsPage(7, { lastPaidSnapshotAt: null });
    const listings = await client.listingsPage(7);
    const sold = await client.salesPage(7);
    expect([stats, listings, sold].map((page) => page.cost.pulls)).toEqual([1, 1, 1]);
    const usage = await client.usage();
    expect(usage.data.totals).toMatchObject({
      stats_pulls: 1,
      listings_pulls: 1,
      salesdata_pulls: 1,
    });
  });

  it('add events by a job', async () => {
    const bench = createMarketplaceBench({}, { discover: async () => [anEvent(42, 'Found')] });
    const client = bench.client();
    const submitted = await client.addEvents('Found');
    await bench.jobsIdle();
    const job = await client.waitForEventAddJob(submitted.data.job_id);
    expect(job.data).toMatchObject({ status: 'completed', events_added: 1 });
    const found = await client.searchPage({ eventName: 'found' });
    expect(found.data).toMatchObject([{ event_id: 42 }]);
  });

  it('refuse a sixth unfinished job', async () => {
    const bench = createMarketplaceBench({}, { discover: () => new Promise(() => undefined) });
    const client = bench.client();
    for (let job = 0; job < 5; job += 1) await client.addEvents('slow');
    await expect(client.addEvents('slow')).rejects.toMatchObject({
      name: 'RateLimitedError',
      code: 'too_many_jobs',
    });
  });

  it('say that a job is unknown', async () => {
    const call = createMarketplaceBench()
      .client()
      .eventAddJob('0198b3b4-6f5e-7cc0-8000-0242ac120002');
    await expect(call).rejects.toMatchObject({ name: 'NotFoundError', subject: 'job' });
  });

  it('stream the daily CSV', async () => {
    const bench = createMarketplaceBench({ events: [anEvent(7, 'Knicks, "the" Nets')] });
    const download = await bench.client().dailyCsv({ date: '20261020' });
    const rows: unknown[] = [];
    for await (const row of download.rows()) rows.push(row);
    expect(rows).toMatchObject([{ event_id: '7', event_name: 'Knicks, "the" Nets' }]);
  });

  it.each([
    ['20261301', 'InvalidRequestError'],
    ['20261101', 'InvalidRequestError'],
    ['20260901', 'InvalidRequestError'],
    ['20260925', 'NotFoundError'],
  ])('refuse the CSV of %s', async (date, name) => {
    const bench = createMarketplaceBench({ events: [anEvent(7)] });
    await expect(bench.client().dailyCsv({ date })).rejects.toMatchObject({ name });
  });
});

it('speaks to the marketplace over HTTP, forced gzip included', async () => {
  const running = await startMarketplace({
    port: 0,
    dbFile: ':memory:',
    source: { kind: 'simulator', seed: 1, events: 2, speed: 1 },
  });
  try {
    const client = new MarketplaceClient({ baseUrl: running.url, apiKey: running.keys.main });
    const events = await client.search().toArray();
    const eventId = events[0]?.event_id ?? 0;
    const listings = await client.listings(eventId, { limit: 50 }).toArray();
    const legacy = await client.legacyListings(eventId);
    expect(listings.length).toBeGreaterThan(0);
    expect(legacy.data.listings).toHaveLength(listings.length);
    expect(legacy.cost).toEqual({ pulls: 0, reason: 'nothing_new' });
  } finally {
    await running.stop();
  }
});
