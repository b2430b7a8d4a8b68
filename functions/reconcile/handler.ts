// Lambda wiring of reconcile.
import * as z from 'zod';
import { createDynamo, createSqs } from '#shared/runtime/aws-clients.ts';
import { readConfig, required } from '#shared/runtime/config.ts';
import { createObservability } from '#shared/runtime/observability.ts';
import { createQueueSender } from '#shared/runtime/queue-sender.ts';
import { createScheduleConsumer } from '#shared/runtime/schedule-consumer.ts';
import { createDeliveryStore } from '#shared/store/deliveries.ts';
import { createEvaluationStore } from '#shared/store/evaluations.ts';
import { createFeedStore } from '#shared/store/feeds.ts';
import { createWatchlistTable } from '#shared/store/tables.ts';
import { createReconcile } from './reconcile.ts';

const config = readConfig(
  z.object({
    WATCHLIST_TABLE: required,
    EVALUATE_QUEUE_URL: required,
    EMAIL_QUEUE_URL: required,
    WEBHOOK_QUEUE_URL: required,
  }),
);
const { logger, metrics } = createObservability();
const sqs = createSqs();
const table = createWatchlistTable(createDynamo(), config.WATCHLIST_TABLE);
const reconcile = createReconcile({
  deliveries: createDeliveryStore(table),
  feeds: createFeedStore(table),
  evaluations: createEvaluationStore(table),
  senders: {
    email: createQueueSender(sqs, config.EMAIL_QUEUE_URL),
    webhook: createQueueSender(sqs, config.WEBHOOK_QUEUE_URL),
  },
  sendNudges: createQueueSender(sqs, config.EVALUATE_QUEUE_URL),
});

export const handler = createScheduleConsumer({
  schema: z.object({ scheduled_time: z.string().min(1) }),
  logger,
  metrics,
  handle: async () => {
    logger.info('reconcile.finished', { ...(await reconcile(Date.now())) });
  },
});
