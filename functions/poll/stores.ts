// The stores that poll uses.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createBudgetStore } from '#shared/dynamo/budget.ts';
import { createEvaluationStore } from '#shared/dynamo/evaluations.ts';
import { createEventFactsStore } from '#shared/dynamo/event-facts.ts';
import { createFeedStore } from '#shared/dynamo/feeds.ts';
import { createMarketStateStore } from '#shared/dynamo/market-state.ts';
import { createNoticeStore } from '#shared/dynamo/notices.ts';
import { createPullStore } from '#shared/dynamo/pulls.ts';
import { createSnapshotStore } from '#shared/dynamo/snapshots.ts';
import { openTables, type TableNames } from '#shared/dynamo/tables.ts';
import { createTriggerStore } from '#shared/dynamo/triggers.ts';
import { createWishStore } from '#shared/dynamo/wishes.ts';

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
