// All stores of the two tables, made together from one client: for the API and for tests. The other
// functions make the few that they use, because each one made adds to the time they take to start.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAccessStore } from './access.ts';
import { createAlertStore } from './alerts.ts';
import { createApiKeyStore } from './api-keys.ts';
import { createBudgetStore } from './budget.ts';
import { createChannelHealthStore } from './channel-health.ts';
import { createChannelStore } from './channels.ts';
import { createConfirmationMailStore } from './confirmation-mails.ts';
import { createDeliveryStore } from './deliveries.ts';
import { createDispositionStore } from './dispositions.ts';
import { createEvaluationStore } from './evaluations.ts';
import { createEventFactsStore } from './event-facts.ts';
import { createEventIdStore } from './event-ids.ts';
import { createFeedStore } from './feeds.ts';
import { createIdempotencyStore } from './idempotency.ts';
import { createMarketStateStore } from './market-state.ts';
import { createNoticeStore } from './notices.ts';
import { createOwnerDefaultsStore } from './owner-defaults.ts';
import { createPullStore } from './pulls.ts';
import { createQuotaStore } from './quotas.ts';
import { createRequestCountStore } from './request-counts.ts';
import { createRollupStore } from './rollups.ts';
import { createSenderSlots } from './sender-slots.ts';
import { createSeriesInUseStore } from './series-in-use.ts';
import { createSnapshotStore } from './snapshots.ts';
import { createSuppressionStore } from './suppressions.ts';
import { openTables, type TableNames } from './tables.ts';
import { createTallyStore } from './tallies.ts';
import { createTriggerStore } from './triggers.ts';
import { createWatchClaimStore } from './watch-claims.ts';
import { createWatchStore } from './watches.ts';
import { createWindowShareStore } from './window-shares.ts';
import { createWishStore } from './wishes.ts';

/** The stores of a deployment whose tables have these names. */
export function createStores(client: DynamoDBDocumentClient, names: TableNames) {
  const { watchlist, snapshots } = openTables(client, names);
  const feeds = createFeedStore(watchlist);
  return {
    access: createAccessStore(watchlist),
    alerts: createAlertStore(watchlist),
    apiKeys: createApiKeyStore(watchlist),
    budget: createBudgetStore(watchlist),
    channelHealth: createChannelHealthStore(watchlist),
    channels: createChannelStore(watchlist),
    confirmationMails: createConfirmationMailStore(watchlist),
    deliveries: createDeliveryStore(watchlist),
    dispositions: createDispositionStore(watchlist),
    evaluations: createEvaluationStore(watchlist),
    eventFacts: createEventFactsStore(watchlist),
    eventIds: createEventIdStore(watchlist),
    feeds,
    idempotency: createIdempotencyStore(watchlist),
    marketState: createMarketStateStore(watchlist),
    notices: createNoticeStore(watchlist),
    ownerDefaults: createOwnerDefaultsStore(watchlist),
    pulls: createPullStore(watchlist),
    quotas: createQuotaStore(watchlist),
    requestCounts: createRequestCountStore(watchlist),
    rollups: createRollupStore(snapshots),
    senderSlots: createSenderSlots(watchlist),
    seriesInUse: createSeriesInUseStore(watchlist),
    snapshots: createSnapshotStore(snapshots),
    suppressions: createSuppressionStore(watchlist),
    tallies: createTallyStore(watchlist),
    triggers: createTriggerStore(watchlist),
    watchClaims: createWatchClaimStore(watchlist),
    watches: createWatchStore(watchlist),
    windowShares: createWindowShareStore(watchlist),
    wishes: createWishStore(watchlist, feeds),
  };
}

export type Stores = ReturnType<typeof createStores>;
