// Lambda wiring of send-webhook.
import * as z from 'zod';
import { postGuarded } from '#shared/alerts/guarded-post.ts';
import { readConfig, required } from '#shared/runtime/config.ts';
import { createDeliveryConsumer } from '#shared/runtime/delivery-consumer.ts';
import { createSendWebhook } from './send-webhook.ts';

const config = readConfig(
  z.object({
    WATCHLIST_TABLE: required,
    WEBHOOK_QUEUE_URL: required,
    LOOPBACK_WEBHOOKS: z.enum(['refused', 'allowed']),
  }),
);

export const handler = createDeliveryConsumer({
  tableName: config.WATCHLIST_TABLE,
  queueUrl: config.WEBHOOK_QUEUE_URL,
  send: createSendWebhook({
    post: postGuarded,
    policy: { loopback: config.LOOPBACK_WEBHOOKS },
    now: Date.now,
  }),
});
