// Real tables for tests: dynalite in memory with the two tables as infra makes them.
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { openDynalite } from '#infra/local/emulators/open-dynalite.ts';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores, type Stores } from '#shared/dynamo/stores.ts';
import { inProcess } from './in-process-transport.ts';

export interface TestTables {
  client: DynamoDBDocumentClient;
  names: { WATCHLIST_TABLE: string; SNAPSHOTS_TABLE: string };
  stores: Stores;
  stop: () => Promise<void>;
}

/** The indexes of the Watchlist table, as infra makes them. */
export const watchlistIndexes = [
  { name: 'owner', partition: 'ownerKey', sort: 'ownerSort', type: 'S' },
  { name: 'due', partition: 'dueShard', sort: 'nextPollAt', type: 'N' },
  { name: 'trigger', partition: 'triggerPartition', sort: 'triggerLevel', type: 'N' },
  { name: 'unfinished', partition: 'unfinishedShard', sort: 'nextAttemptAt', type: 'N' },
] as const;

const names = { WATCHLIST_TABLE: 'Watchlist', SNAPSHOTS_TABLE: 'Snapshots' };
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Starts an emulator with empty tables; `stop` ends it. */
export async function startTestTables(): Promise<TestTables> {
  const server = openDynalite();
  const raw = new DynamoDBClient({
    ...inProcess(server),
    ...{ endpoint: 'http://dynalite.invalid', region: 'us-east-1', credentials },
  });
  await createTables(raw);
  return storesOver(raw);
}

/** The tables of an emulator that runs elsewhere; `stop` ends the client alone. */
export async function connectTestTables(
  endpoint: string,
  { areThere }: { areThere: boolean },
): Promise<TestTables> {
  const raw = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  if (!areThere) await createTables(raw);
  return storesOver(raw);
}

async function createTables(raw: DynamoDBClient): Promise<void> {
  await raw.send(createTable(names.WATCHLIST_TABLE, watchlistIndexes));
  await raw.send(createTable(names.SNAPSHOTS_TABLE, []));
  for (const name of Object.values(names)) await untilActive(raw, name);
}

function storesOver(raw: DynamoDBClient): TestTables {
  const client = DynamoDBDocumentClient.from(raw, {
    marshallOptions: { removeUndefinedValues: true },
  });
  return {
    client,
    names,
    stores: openStores(client, names, everyStore),
    stop: async () => raw.destroy(),
  };
}

/** The emulator answers before a table is ready; on a busy machine the first request was too early. */
async function untilActive(client: DynamoDBClient, TableName: string): Promise<void> {
  const describe = new DescribeTableCommand({ TableName });
  while ((await client.send(describe)).Table?.TableStatus !== 'ACTIVE') {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function createTable(TableName: string, globals: readonly (typeof watchlistIndexes)[number][]) {
  const key = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
  return new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: key('pk', 'sk'),
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
      ...globals.flatMap(({ partition, sort, type }) => [
        { AttributeName: partition, AttributeType: 'S' as const },
        { AttributeName: sort, AttributeType: type },
      ]),
    ],
    ...(globals.length > 0 && {
      GlobalSecondaryIndexes: globals.map(({ name, partition, sort }) => ({
        IndexName: name,
        KeySchema: key(partition, sort),
        Projection: { ProjectionType: 'ALL' as const },
      })),
    }),
  });
}
