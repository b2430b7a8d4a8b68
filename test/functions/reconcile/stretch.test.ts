// The price of a pull that reconcile stores: polls read it from the budget, so a fleet that asks for more than
// the caps allow is slowed, and is quick again once it fits.
import { beforeEach, expect, it } from 'vitest';
import { minuteMs, openPolling } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;

beforeEach(async () => {
  tables = await startTestTables();
  return () => tables.stop();
});

const pullPrice = async () => (await tables.stores.budget.read())?.pullPrice;

it('stores a price while the fleet asks for more than the caps, and none once it fits', async () => {
  const polling = openPolling(tables.stores, 1, { caps: { daily: 10_000, monthly: 1_000_000 } });
  await polling.watch(1);
  await tables.stores.budget.replaceSettings({ revision: 0 }, { daily: 24, ownerShares: {} });
  await polling.reconcile();
  const isShort = ((await pullPrice()) ?? 0) > 0;
  polling.refresh(1, 100);
  await polling.minute();
  const {
    nextReason,
    nextWhy,
    nextPollAt = 0,
  } = (await tables.stores.feeds.find(1, 'stats')) ?? {};
  const waitMinutes = Math.round((nextPollAt - polling.clock.now) / minuteMs);
  await tables.stores.budget.replaceSettings({ revision: 1 }, { ownerShares: {} });
  await polling.reconcile();

  expect({ isShort, nextReason, waitMinutes }).toEqual({
    ...{ isShort: true, nextReason: 'stretched_by_budget', waitMinutes: 29 },
  });
  expect(nextWhy).toBe('about 0.1 alerts or fewer expected by 12:30 UTC; 1 watch');
  expect(await pullPrice()).toBe(0);
});
