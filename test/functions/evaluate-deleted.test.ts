// A deleted watch in the whole pipeline: it raises nothing, and once restored it announces only what is new.
import { beforeEach, expect, it } from 'vitest';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import { feedsWantedBy, type Watch } from '#shared/watchlist/watch.ts';
import { createPipeline } from '#test/support/pipeline.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

let tables: TestTables;
let pipeline: Awaited<ReturnType<typeof createPipeline>>;

beforeEach(async () => {
  tables = await startTestTables();
  pipeline = await createPipeline(tables.stores);
  return () => tables.stop();
});

const rule = { type: 'level', metric: 'get_in', at_or_below: 80, repeat_every_further_percent: 5 };

async function change({ watchId }: Watch, changesOf: (watch: Watch) => Partial<Watch>) {
  const { watches } = tables.stores;
  const watch = await watches.find(watchId);
  const after = watch && (await watches.change(watch, changesOf(watch), pipeline.clock.now));
  if (!after) throw new Error('the watch was changed meanwhile');
  await createApplyWatchChange(tables.stores)(after, pipeline.clock.now);
}
const remove = (watch: Watch) =>
  change(watch, (before) => ({
    ...{
      status: 'ended',
      statusWhenRemoved: 'active',
      removedAt: new Date(pipeline.clock.now).toISOString(),
    },
    unsettled: { feeds: feedsWantedBy(before), triggerIds: [] },
  }));
const restore = (watch: Watch) =>
  change(watch, () => ({
    ...{ status: 'active', statusWhenRemoved: undefined, removedAt: undefined },
    unsettled: { feeds: [], triggerIds: [] },
  }));
async function see(...prices: number[]) {
  for (const price of prices) await pipeline.minute(price);
}
const told = (watch: Watch) =>
  pipeline.raised
    .filter(({ watchId }) => watchId === watch.watchId)
    .map(({ value }) => (value ?? 0) / 100);

beforeEach(async () => {
  // Another watch keeps the event polled.
  await pipeline.addWatch([{ type: 'level', metric: 'get_in', at_or_below: 1 }]);
});

it('raises nothing while it is deleted, whatever the price does', async () => {
  const watch = await pipeline.addWatch([rule]);
  await see(100);
  await remove(watch);
  await see(74, 100, 60);
  expect(told(watch)).toEqual([]);
});

it('does not announce again what it announced before, and a further step and a new crossing are told', async () => {
  const watch = await pipeline.addWatch([rule]);
  await see(100, 74);
  await remove(watch);
  await see(74);
  await restore(watch);
  await see(74, 73);
  expect(told(watch)).toEqual([74]);
  await see(69, 100, 75);
  expect(told(watch)).toEqual([74, 69, 75]);
});
