import { describe, expect, it } from 'vitest';
import {
  anEventWithHistory,
  createMarketplaceBench,
  START_MS,
  sales,
} from '#test/support/marketplace/marketplace-bench.ts';

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
