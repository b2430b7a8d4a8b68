// The two DynamoDB tables as dynamodb-toolbox sees them. What runs where is infra's; these names and
// keys are what infra must provide.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Table } from 'dynamodb-toolbox/table';

const partitionKey = { name: 'pk', type: 'string' } as const;
const sortKey = { name: 'sk', type: 'string' } as const;

/** Owners, keys, channels, watches, triggers, feeds, alerts, deliveries and counters. */
export function createWatchlistTable(documentClient: DynamoDBDocumentClient, name: string) {
  return new Table({
    documentClient,
    name,
    partitionKey,
    sortKey,
    entityAttributeSavedAs: 'entity',
    indexes: {
      owner: globalIndex('ownerKey', { name: 'ownerSort', type: 'string' }),
      due: globalIndex('dueShard', { name: 'nextPollAt', type: 'number' }),
      trigger: globalIndex('triggerPartition', { name: 'triggerLevel', type: 'number' }),
      unfinished: globalIndex('unfinishedShard', { name: 'nextAttemptAt', type: 'number' }),
    },
  });
}

/** Raw snapshots per event. */
export function createSnapshotsTable(documentClient: DynamoDBDocumentClient, name: string) {
  return new Table({
    documentClient,
    name,
    partitionKey,
    sortKey,
    entityAttributeSavedAs: 'entity',
  });
}

export interface TableNames {
  WATCHLIST_TABLE: string;
  SNAPSHOTS_TABLE: string;
}

/** Both tables of a deployment. */
export function openTables(client: DynamoDBDocumentClient, names: TableNames) {
  return {
    watchlist: createWatchlistTable(client, names.WATCHLIST_TABLE),
    snapshots: createSnapshotsTable(client, names.SNAPSHOTS_TABLE),
  };
}

export type WatchlistTable = ReturnType<typeof createWatchlistTable>;
export type SnapshotsTable = ReturnType<typeof createSnapshotsTable>;

function globalIndex<
  Partition extends string,
  Sort extends { name: string; type: 'string' | 'number' },
>(partition: Partition, sort: Sort) {
  return {
    type: 'global',
    partitionKey: { name: partition, type: 'string' },
    sortKey: sort,
  } as const;
}
