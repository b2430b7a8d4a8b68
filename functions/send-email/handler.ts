// Lambda wiring of send-email.
import * as z from 'zod';
import { createSes } from '#shared/runtime/aws-clients.ts';
import { readConfig, required } from '#shared/runtime/config.ts';
import { createDeliveryConsumer } from '#shared/runtime/delivery-consumer.ts';
import { createSendEmail } from './send-email.ts';

const config = readConfig(
  z.object({ WATCHLIST_TABLE: required, EMAIL_QUEUE_URL: required, EMAIL_SENDER: required }),
);

export const handler = createDeliveryConsumer({
  tableName: config.WATCHLIST_TABLE,
  queueUrl: config.EMAIL_QUEUE_URL,
  send: createSendEmail(createSes(), config.EMAIL_SENDER),
});
