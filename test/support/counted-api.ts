// An API that counts its requests to DynamoDB, with single reads gathered into batches as in the Lambda.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { startApi } from './api.ts';

/** The same client, which notes the name of each command. */
function counting(client: DynamoDBDocumentClient, sent: string[]): DynamoDBDocumentClient {
  const send = (command: { constructor: { name: string } }, ...rest: []) => {
    sent.push(command.constructor.name);
    return client.send(command as never, ...rest);
  };
  return Object.create(client, { send: { value: send } });
}

/** `tables` is an API of the same tables, whose stores are not counted. */
export async function startCountedApi() {
  const sent: string[] = [];
  const tables = await startApi();
  const api = await startApi({}, () =>
    openStores(gatherReads(counting(tables.client, sent)), tables.names, everyStore),
  );
  return {
    tables,
    api,

    /** The answer, and the names of the requests that it took. */
    async requestsOf(path: string, key = tables.ann.key, headers: Record<string, string> = {}) {
      sent.length = 0;
      const answer = await api.call(path, { key, headers });
      return { ...answer, requests: [...sent] };
    },

    stop: () => Promise.all([api.stop(), tables.stop()]),
  };
}

export type CountedApi = Awaited<ReturnType<typeof startCountedApi>>;
