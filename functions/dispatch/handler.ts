// Lambda wiring of dispatch.
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import * as z from 'zod';
import { openStores } from '#shared/dynamo/stores.ts';
import { createDynamo, createSqs } from '#shared/lambda/aws-clients.ts';
import { readConfig, required } from '#shared/lambda/config.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { createScheduleConsumer } from '#shared/lambda/schedule-consumer.ts';
import { dispatchInputSchema } from '#shared/polling/feed.ts';
import { capVariables, readPullCaps } from '#shared/polling/polling-config.ts';
import { composeDispatch, dispatchStores } from './compose-dispatch.ts';

const config = readConfig(
  z.object({ WATCHLIST_TABLE: required, POLL_QUEUE_URL: required, ...capVariables }),
);
const { logger, metrics } = createObservability();
const dispatch = composeDispatch({
  stores: openStores(createDynamo(), config, dispatchStores),
  caps: readPullCaps(config),
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
