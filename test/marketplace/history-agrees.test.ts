// The history that the stats route serves is, value by value, the one that polling has stored.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { statsPageSchema } from '#shared/marketplace/contract.ts';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { openPolling } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

it('serves as history what a polling client has stored', async () => {
  const polling = openPolling(tables.stores, 1);
  await polling.watch(1);
  for (const price of [100, 90, 95.5, 80, 79.99, 130]) {
    polling.refresh(1, price, [price + 20.5]);
    await polling.minute();
  }
  const stored = await tables.stores.snapshots.after({ eventId: 1, kind: 'stats' }, 0, 100);
  const response = await polling.market.request(
    '/v1/events/1/stats?start_date=2026-03-01&end_date=2026-03-02',
    { headers: { authorization: `Bearer ${polling.market.keys.main}` } },
  );
  const { data } = statsPageSchema.parse(await response.json());
  const served = data
    .map((row) => snapshotFromStats(1, row))
    .sort((a, b) => a.observedAt - b.observedAt);

  expect(served.map(({ metrics }) => metrics.get_in)).toEqual([
    10_000, 9_000, 9_550, 8_000, 7_999, 13_000,
  ]);
  expect(stored).toEqual(served);
});
