/**
 * A board of many watches, `GET /v1/watches?include=standing`: its requests to DynamoDB, and how long it takes when
 * each request takes as long as in AWS. The answers of the tables are remembered and given again after that time.
 *
 *   node test/proof/bench/list.ts [--quick]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { startApi } from '#test/support/api.ts';
import { storeWatch } from '#test/support/many-watches.ts';
import { median } from '#test/support/quantile.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const watches = flags.quick ? 300 : 1_000;
const rounds = flags.quick ? 5 : 15;
/** A single read, and a query or a batch of up to 100 reads, within a region. */
const latencyMs = { single: 5, many: 12 };

interface Counted {
  requests: number;
}

/** A client that gives each answer of the tables again, after the time that AWS takes. */
function replaying(client: DynamoDBDocumentClient, counted: Counted): DynamoDBDocumentClient {
  const answers = new Map<string, unknown>();
  const send = async (command: { input: object; constructor: { name: string } }) => {
    const { name } = command.constructor;
    const question = `${name} ${JSON.stringify(command.input)}`;
    if (!answers.has(question)) answers.set(question, await client.send(command as never));
    counted.requests += 1;
    await wait(/Batch|Query/.test(name) ? latencyMs.many : latencyMs.single);
    return answers.get(question);
  };
  return Object.create(client, { send: { value: send } });
}

const tables = await startApi();
const { ownerId, channelId, key } = tables.ann;
for (let n = 1; n <= watches; n += 1) await storeWatch(tables.stores, { ownerId, channelId, n });

const counted = { requests: 0 };
const api = await startApi({ requestLimit: { requests: 1e9, windowSeconds: 60 } }, () =>
  openStores(gatherReads(replaying(tables.client, counted)), tables.names, everyStore),
);
const read = () => api.call('/v1/watches?include=standing&limit=1000', { key });
const { body } = await read();
if (body.data.length !== watches) throw new Error(`the board has ${body.data.length} rows`);

const took: number[] = [];
const before = process.cpuUsage();
counted.requests = 0;
for (let round = 0; round < rounds; round += 1) {
  const from = performance.now();
  await read();
  took.push(performance.now() - from);
}
const { user, system } = process.cpuUsage(before);
const requests = Math.round(counted.requests / rounds);
const cpuMs = Math.round((user + system) / 1_000 / rounds);
await Promise.all([api.stop(), tables.stop()]);

const ms = Math.round(median(took));
console.table({ [`a board of ${watches} watches`]: { requests, ms, cpuMs } });
console.log(JSON.stringify({ bench: 'list', watches, requests, ms, cpu_ms: cpuMs }));
