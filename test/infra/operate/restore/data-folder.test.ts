// The drill with the tables of a local run: their folder is copied while the run is stopped, the run goes on, and then
// the copy takes its place.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startDynamoDb } from '#infra/local/emulators/dynamodb.ts';
import type { Emulator } from '#infra/local/emulators/emulator.ts';
import { bringUpToDate } from '#infra/operate/restore/bring-up-to-date.ts';
import { createWatchlistTable } from '#shared/dynamo/tables.ts';
import { createPipeline, type Pipeline } from '#test/support/pipeline.ts';
import { connectTestTables, type TestTables } from '#test/support/tables.ts';
import { below80, told } from '../../support/restore-drill.ts';

let folder: string;
let running: Emulator[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'getin-restore-'));
  running = [];
});
afterEach(async () => {
  for (const each of running) await each.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a copy of the data folder goes on without losing or repeating an alert', async () => {
  const first = await open('data', false);
  let pipeline = await createPipeline(first.stores);
  await pipeline.addWatch([below80]);
  for (const price of [100, 100]) await pipeline.minute(price);

  await running.pop()?.stop();
  cpSync(join(folder, 'data'), join(folder, 'copy'), { recursive: true });
  const to = pipeline.clock.now;
  const now = await open('data', true);
  pipeline = await goOn(now, pipeline);
  for (const price of [70, 100, 60]) await pipeline.minute(price);
  expect(told(pipeline.sent)).toEqual([
    [70, false],
    [60, false],
  ]);

  const copy = await open('copy', true);
  const done = await bringUpToDate({
    restored: createWatchlistTable(copy.client, copy.names.WATCHLIST_TABLE),
    witness: createWatchlistTable(now.client, now.names.WATCHLIST_TABLE),
    ...{ to, stoppedAt: pipeline.clock.now, say: () => {} },
  });
  expect(done).toMatchObject({ carried: { alert: 2, delivery: 2 }, triggers: 1, feeds: 1 });
  pipeline = await goOn(copy, pipeline);
  for (const price of [60, 100, 75]) await pipeline.minute(price);
  expect(told(pipeline.sent)).toEqual([[75, false]]);
});

async function open(name: string, areThere: boolean): Promise<TestTables> {
  const emulator = await startDynamoDb({
    ...{ port: 0, folder: join(folder, name) },
    access: {
      ...{ service: 'dynamodb', region: 'us-east-1', accountId: '000000000000' },
      onDenied: () => {},
    },
  });
  running.push(emulator);
  return connectTestTables(emulator.url, { areThere });
}

/** The same market at the same time, over these tables. */
async function goOn({ stores }: TestTables, before: Pipeline): Promise<Pipeline> {
  const pipeline = await createPipeline(stores);
  pipeline.clock.now = before.clock.now;
  pipeline.market.push(...before.market);
  return pipeline;
}
