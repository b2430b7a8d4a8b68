// The stores that evaluate uses.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAccessStore } from '#shared/store/access.ts';
import { createAlertStore } from '#shared/store/alerts.ts';
import { createChannelHealthStore } from '#shared/store/channel-health.ts';
import { createChannelStore } from '#shared/store/channels.ts';
import { createDeliveryStore } from '#shared/store/deliveries.ts';
import { createDispositionStore } from '#shared/store/dispositions.ts';
import { createEvaluationStore } from '#shared/store/evaluations.ts';
import { createEventFactsStore } from '#shared/store/event-facts.ts';
import { createFeedStore } from '#shared/store/feeds.ts';
import { createRollupStore } from '#shared/store/rollups.ts';
import { createSnapshotStore } from '#shared/store/snapshots.ts';
import { openTables, type TableNames } from '#shared/store/tables.ts';
import { createTallyStore } from '#shared/store/tallies.ts';
import { createTriggerStore } from '#shared/store/triggers.ts';
import { createWatchStore } from '#shared/store/watches.ts';

/** The stores of a deployment whose tables have these names. */
export function openEvaluateStores(client: DynamoDBDocumentClient, names: TableNames) {
  const { watchlist, snapshots } = openTables(client, names);
  return {
    access: createAccessStore(watchlist),
    alerts: createAlertStore(watchlist),
    channelHealth: createChannelHealthStore(watchlist),
    channels: createChannelStore(watchlist),
    deliveries: createDeliveryStore(watchlist),
    dispositions: createDispositionStore(watchlist),
    evaluations: createEvaluationStore(watchlist),
    eventFacts: createEventFactsStore(watchlist),
    feeds: createFeedStore(watchlist),
    rollups: createRollupStore(snapshots),
    snapshots: createSnapshotStore(snapshots),
    tallies: createTallyStore(watchlist),
    triggers: createTriggerStore(watchlist),
    watches: createWatchStore(watchlist),
  };
}
