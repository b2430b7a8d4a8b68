/**
 * The creation of a watch, `POST /v1/watches`: its rounds of requests to DynamoDB, and how long it takes when each
 * request takes as long as in AWS.
 *
 *   node test/proof/bench/creation.ts [--quick]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { levelRule, startApi } from '#test/support/api.ts';
import { roundsOf } from '#test/support/count-rounds.ts';
import { median } from '#test/support/quantile.ts';
import { awsLatencyMs } from '#test/support/replayed-tables.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const watches = flags.quick ? 50 : 300;

const tables = await startApi();
const { channelId, key } = tables.ann;
const counted = { requests: 0 };

/** The tables' client; an answer takes as long as AWS does, which is longer than the emulator. */
function slowed(client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const send = async (command: { constructor: { name: string } }) => {
    counted.requests += 1;
    const isMany = /Batch|Query/.test(command.constructor.name);
    const [answer] = await Promise.all([
      client.send(command as never),
      wait(isMany ? awsLatencyMs.many : awsLatencyMs.single),
    ]);
    return answer as unknown;
  };
  return Object.create(client, { send: { value: send } });
}

const limit = { requestLimit: { requests: 1e9, windowSeconds: 60 } };
const openOver = (client: DynamoDBDocumentClient) =>
  startApi(limit, () => openStores(gatherReads(client), tables.names, everyStore));
const api = await openOver(slowed(tables.client));
const plain = await openOver(tables.client);

async function create(over: typeof api, event: number): Promise<void> {
  const body = { event_id: event, rules: [levelRule(80)], channels: [channelId] };
  const { status, text } = await over.call('/v1/watches', { body, key });
  if (status !== 201) throw new Error(`the watch is answered with ${status}: ${text}`);
}

for (let n = 1; n <= watches + 2; n += 1) {
  await tables.stores.eventFacts.keep({ eventId: n, name: `Knicks, game ${n}`, updatedAt: 1 });
}
// Loads what the process loads once.
await create(plain, watches + 1);
/** Two of the rounds are those of every operation: the key is read, then the request is counted. */
const rounds = (await roundsOf(tables.client, () => create(plain, watches + 2))).length - 2;

const took: number[] = [];
counted.requests = 0;
for (let event = 1; event <= watches; event += 1) {
  const from = performance.now();
  await create(api, event);
  took.push(performance.now() - from);
}
const requests = Number((counted.requests / watches).toFixed(1));
await Promise.all([api.stop(), plain.stop(), tables.stop()]);

const ms = Math.round(median(took));
console.table({ 'the creation of a watch': { rounds, requests, ms } });
console.log(JSON.stringify({ bench: 'creation', watches, rounds, requests, ms }));
