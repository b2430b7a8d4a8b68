// Tables for tests, in memory: the two tables as infra makes them.
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '#shared/dynamo/document-client.ts';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores, type Stores } from '#shared/dynamo/stores.ts';
import { directClient } from './direct-client.ts';
import { openDirectDynalite } from './direct-dynalite.ts';
import { openDirectSimulation } from './simulated-dynamodb/direct-simulation.ts';

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
const tables = [
  tableOf(names.WATCHLIST_TABLE, watchlistIndexes),
  tableOf(names.SNAPSHOTS_TABLE, []),
];
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/**
 * Empty tables; `stop` ends them. They are of the simulated DynamoDB, whose requests take a fifth of dynalite's time,
 * or of dynalite where TEST_TABLES says so (`npm run test:dynalite`).
 */
export async function startTestTables(): Promise<TestTables> {
  return process.env.TEST_TABLES === 'dynalite' ? startDynaliteTables() : startSimulatedTables();
}

/** Empty tables of the simulated DynamoDB, which `simulated-dynamodb` compares with dynalite. */
export function startSimulatedTables(): TestTables {
  const indexes = { [names.WATCHLIST_TABLE]: watchlistIndexes, [names.SNAPSHOTS_TABLE]: [] };
  return storesOver(directClient(openDirectSimulation(indexes)));
}

/** Empty tables of dynalite, for tests of the stores themselves; `stop` ends them. */
export async function startDynaliteTables(): Promise<TestTables> {
  const carryOut = openDirectDynalite();
  for (const table of tables) await carryOut('CreateTable', table);
  await untilActive((TableName) => carryOut('DescribeTable', { TableName }));
  return storesOver(directClient(carryOut));
}

/** The tables of an emulator that runs elsewhere; `stop` ends the client alone. */
export async function connectTestTables(
  endpoint: string,
  { areThere }: { areThere: boolean },
): Promise<TestTables> {
  const raw = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  if (!areThere) {
    for (const table of tables) await raw.send(new CreateTableCommand(table));
    await untilActive((TableName) => raw.send(new DescribeTableCommand({ TableName })));
  }
  return storesOver(documentClient(raw));
}

function storesOver(client: DynamoDBDocumentClient): TestTables {
  const stores = openStores(client, names, everyStore);
  return { client, names, stores, stop: async () => client.destroy() };
}

/** The emulator answers before a table is ready; on a busy machine the first request was too early. */
async function untilActive(
  describe: (TableName: string) => Promise<{ Table?: TableDescription | undefined }>,
): Promise<void> {
  for (const name of Object.values(names)) {
    while ((await describe(name)).Table?.TableStatus !== 'ACTIVE') {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function tableOf(TableName: string, globals: readonly (typeof watchlistIndexes)[number][]) {
  const key = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST' as const,
    KeySchema: key('pk', 'sk'),
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' as const },
      { AttributeName: 'sk', AttributeType: 'S' as const },
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
  } satisfies CreateTableCommandInput;
}
