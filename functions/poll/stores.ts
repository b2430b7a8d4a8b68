// The stores that poll uses.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createBudgetStore } from '#shared/store/budget.ts';
import { createEvaluationStore } from '#shared/store/evaluations.ts';
import { createEventFactsStore } from '#shared/store/event-facts.ts';
import { createFeedStore } from '#shared/store/feeds.ts';
import { createMarketStateStore } from '#shared/store/market-state.ts';
import { createNoticeStore } from '#shared/store/notices.ts';
import { createPullStore } from '#shared/store/pulls.ts';
import { createSnapshotStore } from '#shared/store/snapshots.ts';
import { openTables, type TableNames } from '#shared/store/tables.ts';
import { createTriggerStore } from '#shared/store/triggers.ts';
import { createWishStore } from '#shared/store/wishes.ts';

/** The stores of a deployment whose tables have these names. */
export function openPollStores(client: DynamoDBDocumentClient, names: TableNames) {
  const { watchlist, snapshots } = openTables(client, names);
  const feeds = createFeedStore(watchlist);
  return {
    budget: createBudgetStore(watchlist),
    evaluations: createEvaluationStore(watchlist),
    eventFacts: createEventFactsStore(watchlist),
    feeds,
    marketState: createMarketStateStore(watchlist),
    notices: createNoticeStore(watchlist),
    pulls: createPullStore(watchlist),
    snapshots: createSnapshotStore(snapshots),
    triggers: createTriggerStore(watchlist),
    wishes: createWishStore(watchlist, feeds),
  };
}
