// Lambda wiring of dispatch.
import * as z from 'zod';
import { dispatchInputSchema } from '#shared/polling/feed.ts';
import { createDynamo, createSqs } from '#shared/runtime/aws-clients.ts';
import { readConfig, required } from '#shared/runtime/config.ts';
import { createObservability } from '#shared/runtime/observability.ts';
import { createQueueSender } from '#shared/runtime/queue-sender.ts';
import { createScheduleConsumer } from '#shared/runtime/schedule-consumer.ts';
import { createFeedStore } from '#shared/store/feeds.ts';
import { createWatchlistTable } from '#shared/store/tables.ts';
import { createDispatch } from './dispatch.ts';

const config = readConfig(z.object({ WATCHLIST_TABLE: required, POLL_QUEUE_URL: required }));
const { logger, metrics } = createObservability();
const dispatch = createDispatch({
  feeds: createFeedStore(createWatchlistTable(createDynamo(), config.WATCHLIST_TABLE)),
  sendToPoll: createQueueSender(createSqs(), config.POLL_QUEUE_URL),
});

export const handler = createScheduleConsumer({
  schema: dispatchInputSchema,
  logger,
  metrics,
  handle: async ({ feed_kind: feedKind, scheduled_time: slot }) => {
    const result = await dispatch(feedKind, slot, Date.now());
    logger.info('dispatch.finished', { feedKind, slot, ...result });
  },
});
