// The two DynamoDB tables for dynamodb-toolbox. Infra must create tables with these names and
// keys.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Table } from 'dynamodb-toolbox/table';
import { type RetentionSettings, retentionOf } from '#shared/retention.ts';

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

/** The names of the tables, and how long their items are kept. */
export interface TableNames extends RetentionSettings {
  WATCHLIST_TABLE: string;
  SNAPSHOTS_TABLE: string;
}

/** The tables of a deployment; without a name for the Snapshots table, only the Watchlist table. */
export function openTables(
  client: DynamoDBDocumentClient,
  names: Omit<TableNames, 'SNAPSHOTS_TABLE'> & Partial<TableNames>,
) {
  const { WATCHLIST_TABLE: watchlist, SNAPSHOTS_TABLE: snapshots } = names;
  return {
    watchlist: createWatchlistTable(client, watchlist),
    retention: retentionOf(names),
    ...(snapshots !== undefined && { snapshots: createSnapshotsTable(client, snapshots) }),
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
