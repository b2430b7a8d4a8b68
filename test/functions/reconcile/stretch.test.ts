// The stretch that reconcile stores: polls read it from the budget, so a fleet that asks for more than
// the caps allow is slowed, and is quick again once it fits.
import { beforeEach, expect, it } from 'vitest';
import { minuteMs, openPolling } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;

beforeEach(async () => {
  tables = await startTestTables();
  return () => tables.stop();
});

const stretchMinutes = async () => ((await tables.stores.budget.read())?.stretchMs ?? 0) / minuteMs;

it('stores a stretch while the fleet asks for more than the caps, and none once it fits', async () => {
  const polling = openPolling(tables.stores, 1, { caps: { daily: 10_000, monthly: 1_000_000 } });
  await polling.watch(1);
  await tables.stores.budget.replaceSettings({ revision: 0 }, { daily: 24, ownerShares: {} });
  await polling.reconcile();
  const slowed = await stretchMinutes();
  polling.refresh(1, 100);
  await polling.minute();
  const { nextReason, nextPollAt = 0 } = (await tables.stores.feeds.find(1, 'stats')) ?? {};
  const waitMinutes = Math.round((nextPollAt - polling.clock.now) / minuteMs);
  await tables.stores.budget.replaceSettings({ revision: 1 }, { ownerShares: {} });
  await polling.reconcile();

  expect({ slowed, nextReason, waitMinutes }).toEqual({
    ...{ slowed: 42.4264, nextReason: 'stretched_by_budget', waitMinutes: 30 },
  });
  expect(await stretchMinutes()).toBe(0);
});
