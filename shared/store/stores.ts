// All stores of the two tables, made together from one client; a function takes the ones it needs.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAccessStore } from './access.ts';
import { createAlertStore } from './alerts.ts';
import { createChannelStore } from './channels.ts';
import { createDeliveryStore } from './deliveries.ts';
import { createEvaluationStore } from './evaluations.ts';
import { createEventFactsStore } from './event-facts.ts';
import { createFeedStore } from './feeds.ts';
import { createPullStore } from './pulls.ts';
import { createRollupStore } from './rollups.ts';
import { createSnapshotStore } from './snapshots.ts';
import { createSnapshotsTable, createWatchlistTable } from './tables.ts';
import { createTriggerStore } from './triggers.ts';
import { createWatchStore } from './watches.ts';

/** The stores of a deployment whose tables have these names. */
export function createStores(
  client: DynamoDBDocumentClient,
  names: { WATCHLIST_TABLE: string; SNAPSHOTS_TABLE: string },
) {
  const watchlist = createWatchlistTable(client, names.WATCHLIST_TABLE);
  const snapshots = createSnapshotsTable(client, names.SNAPSHOTS_TABLE);
  return {
    access: createAccessStore(watchlist),
    alerts: createAlertStore(watchlist),
    channels: createChannelStore(watchlist),
    deliveries: createDeliveryStore(watchlist),
    evaluations: createEvaluationStore(watchlist),
    eventFacts: createEventFactsStore(watchlist),
    feeds: createFeedStore(watchlist),
    pulls: createPullStore(watchlist),
    rollups: createRollupStore(snapshots),
    snapshots: createSnapshotStore(snapshots),
    triggers: createTriggerStore(watchlist),
    watches: createWatchStore(watchlist),
  };
}

export type Stores = ReturnType<typeof createStores>;
