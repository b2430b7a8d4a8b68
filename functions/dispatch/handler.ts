// Lambda wiring of dispatch.
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import * as z from 'zod';
import { createBudgetStore } from '#shared/dynamo/budget.ts';
import { createFeedStore } from '#shared/dynamo/feeds.ts';
import { createMarketStateStore } from '#shared/dynamo/market-state.ts';
import { createWatchlistTable } from '#shared/dynamo/tables.ts';
import { createDynamo, createSqs } from '#shared/lambda/aws-clients.ts';
import { readConfig, required } from '#shared/lambda/config.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { createScheduleConsumer } from '#shared/lambda/schedule-consumer.ts';
import { dispatchInputSchema } from '#shared/polling/feed.ts';
import { capVariables } from '#shared/polling/polling-config.ts';
import { createDispatch } from './dispatch.ts';
import { createLimits } from './limits.ts';

const config = readConfig(
  z.object({ WATCHLIST_TABLE: required, POLL_QUEUE_URL: required, ...capVariables }),
);
const { logger, metrics } = createObservability();
const table = createWatchlistTable(createDynamo(), config.WATCHLIST_TABLE);
const budget = createBudgetStore(table);
const dispatch = createDispatch({
  feeds: createFeedStore(table),
  budget,
  marketState: createMarketStateStore(table),
  readLimits: createLimits(budget, {
    daily: config.DAILY_PULL_CAP,
    monthly: config.MONTHLY_PULL_CAP,
  }),
  sendToPoll: createQueueSender(createSqs(), config.POLL_QUEUE_URL),
});

export const handler = createScheduleConsumer({
  schema: dispatchInputSchema,
  logger,
  metrics,
  handle: async ({ feed_kind: feedKind, scheduled_time: slot }) => {
    const result = await dispatch(feedKind, slot, Date.now());
    metrics.addMetric('feedsDispatched', MetricUnit.Count, result.dispatched);
    metrics.addMetric('feedsLeft', MetricUnit.Count, result.left);
    const facts = { feedKind, slot, ...result };
    if (result.unsent > 0) logger.error('dispatch.finished', facts);
    else logger.info('dispatch.finished', facts);
  },
});
