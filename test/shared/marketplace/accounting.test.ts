import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Charge } from '#shared/marketplace/charge.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { MarketplaceError } from '#shared/marketplace/errors.ts';
import { anEvent, aRefresh, createMarketplaceBench, sales } from './marketplace-bench.ts';

const OPERATIONS = [
  'refresh',
  'stats',
  'listings',
  'legacyListings',
  'sales',
  'legacySales',
  'salesBatch',
  'legacySalesBatch',
] as const;
type Operation = (typeof OPERATIONS)[number];
type Spend = (charge: Charge) => void;

/** Time of the newest snapshot that a client knows to have paid for. */
interface Memory {
  lastPaidSnapshotAt: string | null;
}

/** Counts what a walk cost even when it fails on the way. */
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
  const rows = await walkAll(client.stats(7, { limit: 2, lastPaidSnapshotAt, startDate }), spend);
  memory.lastPaidSnapshotAt = rows.at(-1)?.timestamp ?? lastPaidSnapshotAt;
}

async function call(
  client: MarketplaceClient,
  operation: Exclude<Operation, 'refresh' | 'stats'>,
  spend: Spend,
): Promise<void> {
  const events = { eventIds: [7, 8], marketplaceEventIds: [1007] };
  if (operation === 'listings') await walkAll(client.listings(7, { limit: 2 }), spend);
  else if (operation === 'sales') await walkAll(client.sales(7, { limit: 2 }), spend);
  else if (operation === 'salesBatch') spend((await client.salesBatch(events)).cost);
  else if (operation === 'legacySalesBatch') spend((await client.legacySalesBatch(events)).cost);
  else spend((await client[operation](7)).cost);
}

/** Runs the operations and gives what the client counted, and what the service charged. */
async function run(operations: readonly Operation[], losses: readonly boolean[]) {
  const bench = createMarketplaceBench({
    events: [anEvent(7), anEvent(8)],
    sales: [...sales(7, 3), ...sales(8, 1)],
  });
  const pending = [...losses];
  bench.loseAnswers(() => pending.shift() ?? false);
  const client = bench.client();
  const memory: Memory = { lastPaidSnapshotAt: null };
  let counted = 0;
  const spend: Spend = (charge) => {
    counted += charge.pulls;
  };
  for (const operation of operations) {
    bench.advance(60_000);
    if (operation === 'refresh') {
      bench.observe({ listing_sets: [aRefresh(7, bench.now(), [100, 110, 120])] });
      continue;
    }
    try {
      if (operation === 'stats') await walkStats(client, memory, spend);
      else await call(client, operation, spend);
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      counted += error.possiblePulls;
    }
  }
  return { counted, charged: bench.chargedPulls() };
}

/** Losses in runs, so that all attempts of a call may be lost. */
const loss = fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false));
const operations = fc.array(fc.constantFrom(...OPERATIONS), { maxLength: 12 });

it('counts exactly what the service charges, whatever is asked in whichever order', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (asked) => {
      const { counted, charged } = await run(asked, []);
      expect(counted).toBe(charged);
    }),
    { numRuns: 60 },
  );
});

it('never counts less than the service charges when answers are lost', async () => {
  await fc.assert(
    fc.asyncProperty(operations, fc.array(loss, { maxLength: 60 }), async (asked, lost) => {
      const { counted, charged } = await run(asked, lost);
      expect(counted).toBeGreaterThanOrEqual(charged);
    }),
    { numRuns: 100 },
  );
});
