// The stores that reconcile uses.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createBudgetStore } from '#shared/store/budget.ts';
import { createChannelStore } from '#shared/store/channels.ts';
import { createDeliveryStore } from '#shared/store/deliveries.ts';
import { createEvaluationStore } from '#shared/store/evaluations.ts';
import { createEventFactsStore } from '#shared/store/event-facts.ts';
import { createFeedStore } from '#shared/store/feeds.ts';
import { createMarketStateStore } from '#shared/store/market-state.ts';
import { createNoticeStore } from '#shared/store/notices.ts';
import { createPullStore } from '#shared/store/pulls.ts';
import { createQuotaStore } from '#shared/store/quotas.ts';
import { createSeriesInUseStore } from '#shared/store/series-in-use.ts';
import { createWatchlistTable, type TableNames } from '#shared/store/tables.ts';
import { createTriggerStore } from '#shared/store/triggers.ts';
import { createWatchStore } from '#shared/store/watches.ts';
import { createWishStore } from '#shared/store/wishes.ts';

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
