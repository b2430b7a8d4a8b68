// The stores that evaluate uses.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAccessStore } from '#shared/dynamo/access.ts';
import { createAlertStore } from '#shared/dynamo/alerts.ts';
import { createChannelHealthStore } from '#shared/dynamo/channel-health.ts';
import { createChannelStore } from '#shared/dynamo/channels.ts';
import { createDeliveryStore } from '#shared/dynamo/deliveries.ts';
import { createDispositionStore } from '#shared/dynamo/dispositions.ts';
import { createEvaluationStore } from '#shared/dynamo/evaluations.ts';
import { createEventFactsStore } from '#shared/dynamo/event-facts.ts';
import { createFeedStore } from '#shared/dynamo/feeds.ts';
import { createRollupStore } from '#shared/dynamo/rollups.ts';
import { createSnapshotStore } from '#shared/dynamo/snapshots.ts';
import { openTables, type TableNames } from '#shared/dynamo/tables.ts';
import { createTallyStore } from '#shared/dynamo/tallies.ts';
import { createTriggerStore } from '#shared/dynamo/triggers.ts';
import { createWatchStore } from '#shared/dynamo/watches.ts';

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
