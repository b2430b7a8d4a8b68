// The stores that both send functions use.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAccessStore } from '#shared/store/access.ts';
import { createAlertStore } from '#shared/store/alerts.ts';
import { createChannelHealthStore } from '#shared/store/channel-health.ts';
import { createChannelStore } from '#shared/store/channels.ts';
import { createDeliveryStore } from '#shared/store/deliveries.ts';
import { createSnapshotStore } from '#shared/store/snapshots.ts';
import { createSuppressionStore } from '#shared/store/suppressions.ts';
import { openTables, type TableNames } from '#shared/store/tables.ts';
import { createWatchStore } from '#shared/store/watches.ts';

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
