// A market refresh while a poll reads its pages: the snapshot comes with the later pages, and its pull with
// the next poll.
import { beforeEach, expect, it } from 'vitest';
import { minuteMs, openPolling, type Polling, startMs } from '#test/support/polling.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
beforeEach(async () => {
  tables = await startTestTables();
  return () => tables.stop();
});

it('counts what the service charges when a snapshot appears between two pages', async () => {
  let pages = 0;
  const run = openPolling(tables.stores, 1, {
    intercept: (request, pass) => {
      if (request.url.includes('/stats')) pages += 1;
      if (pages === 2 && request.url.includes('/stats')) {
        run.clock.now += 1_000;
        run.refresh(1, 90);
      }
      return pass();
    },
  });
  // One row more than a page.
  for (let row = 0; row <= 200; row += 1) {
    run.clock.now = startMs + row * 1_000;
    run.refresh(1, 100 + row);
  }
  await run.watch(1);
  const polled = [];
  for (let minute = 0; minute < 3; minute += 1) {
    run.clock.now += 20 * minuteMs;
    await run.dispatch();
    polled.push(...(await run.drain()));
  }
  expect(pages).toBeGreaterThan(2);
  expect(await pullsOf(run)).toEqual({ charged: 2, counted: 2 });
});

async function pullsOf(run: Polling) {
  const headers = { authorization: `Bearer ${run.market.keys.main}` };
  const usage = await run.market.request('/v1/usage', { headers });
  const { totals } = (await usage.json()) as { totals: { stats_pulls: number } };
  return { charged: totals.stats_pulls, counted: (await run.stores.budget.read())?.daySpent };
}
