// Refresh times of listings that can't be true or are not there, as the marketplace's answer has them.
import { describe, expect, it } from 'vitest';
import { createFetchListings } from '#functions/poll/feeds/listings.ts';
import { MarketplaceClient } from '#shared/marketplace/client.ts';
import { costliest } from '#shared/polling/assumptions.ts';
import type { Feed } from '#shared/polling/feed.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const feed: Feed = {
  ...{ eventId: 1, kind: 'listings', status: 'active', latencySeconds: 60, failures: 0 },
  ...{ rhythm: { gapsMs: [] }, sharedMicropulls: 0, watchersChangedAt: 0, wishVersion: 0 },
};

async function fetched(stamp: string | null | undefined, hasRefreshed: boolean) {
  const page = {
    ...{ event_id: 1, service_event_id: 1, sh_event_id: 2, vs_event_id: null, data: [] },
    ...{ has_more: false, next_cursor: null, total_count: 0, has_refreshed: hasRefreshed },
    ...(stamp !== undefined && { last_refreshed_at: stamp }),
  };
  const client = new MarketplaceClient({
    ...{ baseUrl: 'http://marketplace.example', apiKey: 'k'.repeat(64), clock: () => now },
    fetch: async () => Response.json(page),
  });
  const fetchListings = createFetchListings({
    readMarketplace: async () => client,
    seriesOf: async () => ['listings/cheapest/all'],
    newestSnapshot: async () => undefined,
    assumptions: costliest,
    now: () => now,
  });
  const { snapshots, faults } = await fetchListings(feed, {
    budgetMs: 9_000,
    plan: undefined,
    clock: undefined,
  });
  return { at: snapshots.map(({ observedAt }) => observedAt), fault: faults?.future_stamp };
}

describe('a refresh of listings', () => {
  it.each([
    [
      '9999-12-31T23:59:59Z',
      'says that its listings refreshed at 9999-12-31T23:59:59Z, which is not plausible',
    ],
    [null, 'does not say when its listings refreshed'],
  ])(
    'stamped %s that was charged is kept under the time of the call, and told',
    async (stamp, said) => {
      expect(await fetched(stamp, true)).toEqual({
        at: [now],
        fault: `The market ${said}; the time of our call is used instead.`,
      });
    },
  );

  it('with a wrong stamp that was not charged is left out, and told', async () => {
    expect(await fetched('9999-12-31T23:59:59Z', false)).toEqual({
      at: [],
      fault:
        'The market says that its listings refreshed at 9999-12-31T23:59:59Z, which is not plausible; they wait for the next refresh.',
    });
  });

  it('that has not come yet is no fault', async () => {
    expect(await fetched(null, false)).toEqual({ at: [], fault: undefined });
  });
});
