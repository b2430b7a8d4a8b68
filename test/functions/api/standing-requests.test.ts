// The number of requests to DynamoDB that a board takes, as functions/api/README.md counts them.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { startApi } from '#test/support/api.ts';
import { storeWatch } from '#test/support/many-watches.ts';

/** The same client, which notes the name of each command. */
function counting(client: DynamoDBDocumentClient, sent: string[]): DynamoDBDocumentClient {
  const send = (command: { constructor: { name: string } }, ...rest: []) => {
    sent.push(command.constructor.name);
    return client.send(command as never, ...rest);
  };
  return Object.create(client, { send: { value: send } });
}

it('a board of 120 watches on 120 events takes one query and batches of 100 reads', async () => {
  const sent: string[] = [];
  const tables = await startApi();
  const api = await startApi({}, () =>
    openStores(gatherReads(counting(tables.client, sent)), tables.names, everyStore),
  );
  const { ownerId, channelId } = tables.ann;
  for (let n = 1; n <= 120; n += 1) await storeWatch(tables.stores, { ownerId, channelId, n });
  sent.length = 0;
  const { body } = await api.call('/v1/watches?include=standing&limit=1000', {
    key: tables.ann.key,
  });
  expect(body.data).toHaveLength(120);
  expect(body.data[119].standing).toMatchObject({ state: 'armed', get_in: 92.4, cost_pulls: 0 });
  const count = (name: string) => sent.filter((each) => each === name).length;
  // Queries: the watches. Batches: see the README, with 2 for 120 items each.
  expect(count('QueryCommand')).toBe(1);
  expect(count('BatchGetCommand')).toBeLessThanOrEqual(20);
  expect(sent.length).toBeLessThanOrEqual(30);
  await Promise.all([api.stop(), tables.stop()]);
});
