// The stores that both send functions use.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAccessStore } from '#shared/dynamo/access.ts';
import { createAlertStore } from '#shared/dynamo/alerts.ts';
import { createChannelHealthStore } from '#shared/dynamo/channel-health.ts';
import { createChannelStore } from '#shared/dynamo/channels.ts';
import { createDeliveryStore } from '#shared/dynamo/deliveries.ts';
import { createSnapshotStore } from '#shared/dynamo/snapshots.ts';
import { createSuppressionStore } from '#shared/dynamo/suppressions.ts';
import { openTables, type TableNames } from '#shared/dynamo/tables.ts';
import { createWatchStore } from '#shared/dynamo/watches.ts';

/** The stores of a deployment whose tables have these names, and the table for what one sender adds. */
export function openDeliveryStores(client: DynamoDBDocumentClient, names: TableNames) {
  const { watchlist, snapshots } = openTables(client, names);
  const stores = {
    access: createAccessStore(watchlist),
    alerts: createAlertStore(watchlist),
    channelHealth: createChannelHealthStore(watchlist),
    channels: createChannelStore(watchlist),
    deliveries: createDeliveryStore(watchlist),
    snapshots: createSnapshotStore(snapshots),
    suppressions: createSuppressionStore(watchlist),
    watches: createWatchStore(watchlist),
  };
  return { watchlist, stores };
}
