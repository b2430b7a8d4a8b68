// The days of prices that polls write: complete after a poll that died at any step, and counted with its looks.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayAfter, emptyDay } from '#shared/rules/price-day.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { openPolling } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const midnight = Date.parse('2026-03-01T00:00:00Z');
let tables: TestTables;

beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

/** The day as its stored snapshots give it. */
async function expectedDay(eventId: number) {
  const rows = await tables.stores.snapshots.after({ eventId, kind: 'stats' }, 0, 100);
  return dayAfter(emptyDay(midnight), rows as MarketSnapshot[]);
}
const storedDay = async (eventId: number) =>
  (await tables.stores.priceDays.read(eventId, { from: midnight, to: midnight }, 1)).days[0];

it('a day has everything that polls have stored, and the feed counts its looks and pulls', async () => {
  const polling = openPolling(tables.stores, 1);
  await polling.watch(1);
  for (const price of [100, 90, 95, 95, 70]) {
    polling.refresh(1, price);
    for (let minute = 0; minute < 16; minute += 1) await polling.minute();
  }
  const day = await expectedDay(1);
  expect(await storedDay(1)).toEqual(day);
  expect(day.metrics.get_in.slice(12, 14)).toEqual([[10_000, 9_000, 9_500], 7_000]);
  const { dayCount } = (await tables.stores.feeds.find(1, 'stats')) ?? {};
  expect(dayCount).toMatchObject({ startsAt: midnight, pulls: polling.charged() });
  expect(dayCount?.looks).toBeGreaterThan(20);
});

it.each([
  'before anything is stored',
  'snapshots.createAll',
  'priceDays.addAll',
  'pulls.create',
  'feeds.finishPoll',
])('a poll that dies after %s leaves a day that its repeat completes', async (deadly) => {
  const own = await startTestTables();
  let deaths = 0;
  const polling = openPolling(own.stores, 1, {
    afterStep: (step) => {
      if (step !== deadly || deaths > 0) return;
      deaths += 1;
      throw new Error('killed');
    },
  });
  await polling.watch(1);
  for (const price of [100, 80]) {
    polling.refresh(1, price);
    // The lease of a dead worker ends within these minutes.
    for (let minute = 0; minute < 6; minute += 1) await polling.minute().catch(() => {});
  }
  const rows = await own.stores.snapshots.after({ eventId: 1, kind: 'stats' }, 0, 100);
  const { days } = await own.stores.priceDays.read(1, { from: midnight, to: midnight }, 1);
  await own.stop();
  expect([deaths, rows.length]).toEqual([1, 2]);
  expect(days).toEqual([dayAfter(emptyDay(midnight), rows as MarketSnapshot[])]);
});
