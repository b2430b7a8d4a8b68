// The stores that reconcile uses.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createBudgetStore } from '#shared/dynamo/budget.ts';
import { createChannelStore } from '#shared/dynamo/channels.ts';
import { createDeliveryStore } from '#shared/dynamo/deliveries.ts';
import { createEvaluationStore } from '#shared/dynamo/evaluations.ts';
import { createEventFactsStore } from '#shared/dynamo/event-facts.ts';
import { createFeedStore } from '#shared/dynamo/feeds.ts';
import { createMarketStateStore } from '#shared/dynamo/market-state.ts';
import { createNoticeStore } from '#shared/dynamo/notices.ts';
import { createPullStore } from '#shared/dynamo/pulls.ts';
import { createQuotaStore } from '#shared/dynamo/quotas.ts';
import { createSeriesInUseStore } from '#shared/dynamo/series-in-use.ts';
import { createWatchlistTable, type TableNames } from '#shared/dynamo/tables.ts';
import { createTriggerStore } from '#shared/dynamo/triggers.ts';
import { createWatchStore } from '#shared/dynamo/watches.ts';
import { createWishStore } from '#shared/dynamo/wishes.ts';

/** The stores of a deployment whose tables have these names. */
export function openReconcileStores(
  client: DynamoDBDocumentClient,
  names: Pick<TableNames, 'WATCHLIST_TABLE'>,
) {
  const watchlist = createWatchlistTable(client, names.WATCHLIST_TABLE);
  const feeds = createFeedStore(watchlist);
  return {
    budget: createBudgetStore(watchlist),
    channels: createChannelStore(watchlist),
    deliveries: createDeliveryStore(watchlist),
    evaluations: createEvaluationStore(watchlist),
    eventFacts: createEventFactsStore(watchlist),
    feeds,
    marketState: createMarketStateStore(watchlist),
    notices: createNoticeStore(watchlist),
    pulls: createPullStore(watchlist),
    quotas: createQuotaStore(watchlist),
    seriesInUse: createSeriesInUseStore(watchlist),
    triggers: createTriggerStore(watchlist),
    watches: createWatchStore(watchlist),
    wishes: createWishStore(watchlist, feeds),
  };
}
