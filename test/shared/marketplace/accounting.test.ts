import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Charge } from '#shared/marketplace/charge.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { MarketplaceError } from '#shared/marketplace/errors.ts';
import type { StatsSnapshot } from '#shared/marketplace/reading/stats.ts';
import { paidStatsRows } from '#shared/marketplace/stats.ts';
import {
  anEvent,
  aRefresh,
  createMarketplaceBench,
  sales,
} from '#test/support/marketplace/marketplace-bench.ts';

const OPERATIONS = [
  'refresh',
  'stats',
  'statsPage',
  'listings',
  'listingsPage',
  'legacyListings',
  'sales',
  'legacySales',
  'salesBatch',
  'legacySalesBatch',
] as const;
type Operation = (typeof OPERATIONS)[number];
type Spend = (charge: Charge) => void;

/** Time of the newest snapshot that the client knows as paid. */
interface Memory {
  lastPaidSnapshotAt: string | null;
}

/** Counts the cost of a walk even when it fails on the way. */
async function walkAll<Row>(
  walk: { toArray(): Promise<Row[]>; cost: Charge },
  spend: Spend,
): Promise<Row[]> {
  try {
    return await walk.toArray();
  } finally {
    spend(walk.cost);
  }
}

async function walkStats(client: MarketplaceClient, memory: Memory, spend: Spend): Promise<void> {
  const { lastPaidSnapshotAt } = memory;
  const startDate = lastPaidSnapshotAt ?? undefined;
  const walk = client.stats(7, { limit: 2, lastPaidSnapshotAt, startDate });
  const paid = paidStatsRows(walk, await walkAll(walk, spend));
  memory.lastPaidSnapshotAt = paid.at(-1)?.timestamp ?? lastPaidSnapshotAt;
}

async function call(
  client: MarketplaceClient,
  operation: Exclude<Operation, 'refresh' | 'stats' | 'statsPage'>,
  spend: Spend,
): Promise<void> {
  const events = { eventIds: [7, 8], marketplaceEventIds: [1007] };
  if (operation === 'listings') await walkAll(client.listings(7, { limit: 2 }), spend);
  else if (operation === 'sales') await walkAll(client.sales(7, { limit: 2 }), spend);
  else if (operation === 'salesBatch') spend((await client.salesBatch(events)).cost);
  else if (operation === 'legacySalesBatch') spend((await client.legacySalesBatch(events)).cost);
  else spend((await client[operation](7)).cost);
}

/** Requests one page without a walk. */
async function readStatsPage(client: MarketplaceClient, memory: Memory, spend: Spend) {
  const { lastPaidSnapshotAt } = memory;
  const page = await client.statsPage(7, { lastPaidSnapshotAt });
  spend(page.cost);
  memory.lastPaidSnapshotAt = page.data.at(-1)?.timestamp ?? lastPaidSnapshotAt;
}

/** How an answer arrives or is lost, and whether the market refreshes meanwhile. */
const FATES = ['arrives', 'lost', 'lost_then_refresh', 'arrives_after_refresh', 'late'] as const;
type Fate = (typeof FATES)[number];

/** Runs the operations and returns the client's count and the service's charges. */
async function run(operations: readonly Operation[], fates: readonly Fate[]) {
  const bench = createMarketplaceBench({
    events: [anEvent(7), anEvent(8)],
    sales: [...sales(7, 3), ...sales(8, 1)],
  });
  const refresh = () =>
    bench.observe({ listing_sets: [aRefresh(7, bench.now(), [100, 110, 120])] });
  const pending = [...fates];
  bench.loseAnswers(() => {
    const fate = pending.shift() ?? 'arrives';
    bench.advance(1_000);
    if (fate.endsWith('refresh')) refresh();
    // A cursor is valid for an hour, so the walk restarts.
    if (fate === 'late') bench.advance(2 * 3_600_000);
    return fate.startsWith('lost');
  });
  const client = bench.client();
  const memory: Memory = { lastPaidSnapshotAt: null };
  let counted = 0;
  const spend: Spend = (charge) => {
    counted += charge.pulls;
  };
  for (const operation of operations) {
    bench.advance(60_000);
    try {
      if (operation === 'refresh') refresh();
      else if (operation === 'stats') await walkStats(client, memory, spend);
      else if (operation === 'statsPage') await readStatsPage(client, memory, spend);
      else await call(client, operation, spend);
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      counted += error.possiblePulls;
    }
  }
  return { counted, charged: bench.chargedPulls() };
}

/** Lose answers in runs, so that all attempts of a call may be lost. */
const fate = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<Fate>('lost', 'lost_then_refresh') },
  fc.constantFrom(...FATES),
);
const operations = fc.array(fc.constantFrom(...OPERATIONS), { maxLength: 12 });

it('counts exactly what the service charges, for any calls in any order', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (asked) => {
      const { counted, charged } = await run(asked, []);
      expect(counted).toBe(charged);
    }),
    { numRuns: 60 },
  );
});

it('never counts less than the service charges when answers are lost and the market refreshes between', async () => {
  await fc.assert(
    fc.asyncProperty(operations, fc.array(fate, { maxLength: 60 }), async (asked, fates) => {
      const { counted, charged } = await run(asked, fates);
      expect(counted).toBeGreaterThanOrEqual(charged);
    }),
    { numRuns: 150 },
  );
});

it.each(['listingsPage', 'statsPage'] as const)(
  '%s counts each lost attempt that the market refreshed after, and no more',
  async (operation) => {
    const lost = 'lost_then_refresh';
    expect(await run(['refresh', operation], [lost])).toEqual({ counted: 2, charged: 2 });
    expect(await run(['refresh', operation], [lost, lost, lost])).toEqual({
      counted: 4,
      charged: 4,
    });
    expect(await run(['refresh', operation], [lost, lost, lost, lost])).toEqual({
      counted: 4,
      charged: 4,
    });
  },
);

it('one new snapshot costs one pull, however many answers were lost', async () => {
  expect(await run(['refresh', 'stats'], ['lost', 'lost', 'lost'])).toEqual({
    counted: 1,
    charged: 1,
  });
});

it('counts a snapshot that appears between two pages of a walk as unpaid', async () => {
  const asked: Operation[] = ['listingsPage', 'stats', 'statsPage'];
  const fates: Fate[] = [
    'arrives_after_refresh',
    'lost_then_refresh',
    'lost_then_refresh',
    'arrives_after_refresh',
  ];
  expect(await run(asked, fates)).toEqual({ counted: 4, charged: 4 });
});

it('counts a snapshot whose zones can’t be read as paid', () => {
  const row = { timestamp: '2026-03-01T12:00:00.000Z' } as StatsSnapshot;
  const firstPage = { totalCount: 1, oddRows: ['data[0].zones: 1 of them'] };
  expect(paidStatsRows({ firstPage }, [row])).toEqual([row]);
});

it('counts a snapshot that was sent twice once, so that the newest one counts as paid', () => {
  const [older, newer] = ['12:00', '12:05'].map(
    (time) => ({ timestamp: `2026-03-01T${time}:00.000Z` }) as StatsSnapshot,
  );
  const sent = [newer, older, newer, older] as StatsSnapshot[];
  expect(paidStatsRows({ firstPage: { totalCount: 2 } }, sent)).toEqual([older, newer]);
});
