import { describe, expect, it } from 'vitest';
import { startMarketplace } from '#marketplace/start.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { anEvent, aRefresh, createMarketplaceBench, START_MS, sales } from './marketplace-bench.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Event 7 with five snapshots a minute apart, the last a minute ago, and five listings. */
function anEventWithHistory() {
  return {
    events: [anEvent(7)],
    listing_sets: [5, 4, 3, 2, 1].map((minutes) =>
      aRefresh(7, START_MS - minutes * MINUTE_MS, [100, 110, 120, 130, 140 + minutes]),
    ),
  };
}

describe('stats', () => {
  it('are walked in pages and paid for once', async () => {
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

  it('of a cursor an hour old begin again and give each row once', async () => {
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

  it('of a restarted walk are paid for again when a snapshot came in between', async () => {
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
  it('are walked under a filter and paid for by the refresh', async () => {
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

describe('sales', () => {
  const observed = { events: [anEvent(7), anEvent(8)], sales: sales(7, 5) };

  it('are walked newest first and paid for once', async () => {
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

  it('of a restarted walk are paid for twice', async () => {
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

  it('of a batch that outruns the balance are served as far as it goes', async () => {
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

  it('waits for the next window instead of running into the limit', async () => {
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

describe('a refusal', () => {
  const observed = { ...anEventWithHistory(), sales: sales(7, 1) };

  it.each(['statsPage', 'listingsPage', 'salesPage', 'legacyListings', 'legacySales'] as const)(
    'of %s says that the event is unknown',
    async (method) => {
      const call = createMarketplaceBench(observed).client()[method](404);
      await expect(call).rejects.toMatchObject({
        name: 'NotFoundError',
        subject: 'event',
        possiblePulls: 0,
      });
    },
  );

  it.each(['statsPage', 'listingsPage', 'salesPage', 'legacyListings', 'legacySales'] as const)(
    'of %s says that the account is frozen',
    async (method) => {
      const call = createMarketplaceBench(observed).client('frozen')[method](7);
      await expect(call).rejects.toMatchObject({
        name: 'PaymentRequiredError',
        code: 'frozen',
        required: 1,
        topUpUrl: expect.stringMatching(/^http:.*\/top-up$/),
      });
    },
  );

  it.each(['account', 'usage', 'searchPage', 'legacySearch', 'dailyCsv'] as const)(
    'of %s says that there is no subscription',
    async (method) => {
      const call = createMarketplaceBench(observed).client('unsubscribed')[method]();
      await expect(call).rejects.toMatchObject({ name: 'SubscriptionError' });
    },
  );

  it('of the CSV says that its own subscription is missing', async () => {
    const bench = createMarketplaceBench(observed);
    await expect(bench.client('noCsv').dailyCsv()).rejects.toMatchObject({
      name: 'SubscriptionError',
      status: 401,
    });
    await expect(bench.client('noCsv').account()).resolves.toBeDefined();
  });

  it.each(['statsPage', 'legacySales'] as const)(
    'of %s says that the key is unknown',
    async (m) => {
      const bench = createMarketplaceBench(observed);
      bench.keys.main = '0'.repeat(64);
      await expect(bench.client()[m](7)).rejects.toMatchObject({ name: 'AuthenticationError' });
    },
  );

  it('of a cursor under another filter is a CursorError', async () => {
    const client = createMarketplaceBench(observed).client();
    const page = await client.listingsPage(7, { limit: 1 });
    const startingAfter = page.nextCursor ?? '';
    const call = client.listingsPage(7, { limit: 1, active: true, startingAfter });
    await expect(call).rejects.toMatchObject({ name: 'CursorError', code: 'invalid_cursor' });
  });

  it('over the rate limit of another client is waited out', async () => {
    const bench = createMarketplaceBench(observed, {
      rateLimits: { events_stats: { limit: 1, window_seconds: 30 } },
    });
    await bench.client().statsPage(7);
    bench.advance(10_000);
    await bench.client().statsPage(7);
    expect(bench.now()).toBe(START_MS + 30_000);
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
