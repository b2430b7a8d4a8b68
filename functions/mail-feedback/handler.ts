// Lambda wiring of mail-feedback.
import * as z from 'zod';
import { openStores } from '#shared/dynamo/stores.ts';
import { createDynamo, createSqs } from '#shared/lambda/aws-clients.ts';
import { createChannelSenders } from '#shared/lambda/channel-senders.ts';
import { readConfig, required } from '#shared/lambda/config.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueConsumer } from '#shared/lambda/queue-consumer.ts';
import { retentionVariables } from '#shared/retention.ts';
import { composeMailFeedback, mailFeedbackStores } from './compose-mail-feedback.ts';

const config = readConfig(
  z.object({
    WATCHLIST_TABLE: required,
    EMAIL_QUEUE_URL: required,
    WEBHOOK_QUEUE_URL: required,
    ...retentionVariables,
  }),
);
const observability = createObservability();
const mailFeedback = composeMailFeedback({
  stores: openStores(createDynamo(), config, mailFeedbackStores),
  senders: createChannelSenders(createSqs(), config),
  onVerdict: (verdict) => observability.logger.info('mail.feedback', verdict),
});

export const handler = createQueueConsumer({
  ...observability,
  schema: z.unknown(),
  handle: (message) => mailFeedback(message, Date.now()),
});
