/**
 * The export of a whole watchlist as CSV, and of a part with its standing: size, requests to DynamoDB, and time when
 * each request takes as long as in AWS (test/support/replayed-tables.ts).
 *
 *   node test/proof/bench/export.ts [--quick]
 */
import { parseArgs } from 'node:util';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores, type Stores } from '#shared/dynamo/stores.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import { startApi } from '#test/support/api.ts';
import { storeWatch } from '#test/support/many-watches.ts';
import { createReplay } from '#test/support/replayed-tables.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const watches = flags.quick ? 3_000 : 10_000;
const withStanding = flags.quick ? 1_000 : 2_500;

const tables = await startApi();
const { ownerId, channelId, key } = tables.ann;
const numbers = Array.from({ length: watches }, (_, index) => index + 1);
await inLots(numbers, 50, (n) => storeWatch(tables.stores, { ownerId, channelId, n }));

/** Exports twice: the answers of the tables are recorded, then given again after the time that AWS takes. */
async function measure(path: string, rows: number) {
  const replay = createReplay();
  const over = (stores: Stores) =>
    startApi({ requestLimit: { requests: 1e9, windowSeconds: 60 } }, () => stores);
  const recorded = await over(
    openStores(replay.recording(tables.client), tables.names, everyStore),
  );
  await recorded.call(path, { key });
  const replayed = await over(
    openStores(gatherReads(replay.replaying(tables.client)), tables.names, everyStore),
  );
  replay.rewind();
  const [from, before] = [performance.now(), process.cpuUsage()];
  const { text } = await replayed.call(path, { key });
  const { user, system } = process.cpuUsage(before);
  const ms = Math.round(performance.now() - from);
  const lines = text.trim().split('\r\n').length - 1;
  if (lines !== rows) throw new Error(`${path} has ${lines} rows`);
  await Promise.all([recorded.stop(), replayed.stop()]);
  return {
    ...{ rows, ms, cpu_ms: Math.round((user + system) / 1_000) },
    ...{ requests: replay.counted.requests, kilobytes: Math.round(text.length / 1_000) },
  };
}

const whole = await measure('/v1/watchlist/export?format=csv', watches);
const part = await measure(`/v1/watchlist/export?format=csv&limit=${withStanding}`, withStanding);
await tables.stop();
console.table({ whole, 'with standing': part });
console.log(JSON.stringify({ bench: 'export', whole, part }));
