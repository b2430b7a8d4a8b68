// Lambda wiring of send-webhook.

import * as z from 'zod';
import { createGuardedPost } from '#shared/delivery/outbound/guarded-post.ts';
import { createChatPace } from '#shared/delivery/pace.ts';
import { readConfig } from '#shared/lambda/config.ts';
import { createDeliveryConsumer, deliveryConfigSchema } from '#shared/lambda/delivery-consumer.ts';
import { timing } from '#shared/timing.ts';
import { createSendWebhook } from './send-webhook.ts';

const config = readConfig(
  deliveryConfigSchema.extend({ LOOPBACK_WEBHOOKS: z.enum(['refused', 'allowed']) }),
);

export const handler = createDeliveryConsumer(config, (stores) => ({
  send: createSendWebhook({
    post: createGuardedPost({
      policy: { loopback: config.LOOPBACK_WEBHOOKS },
      timeoutMs: timing.webhookTimeoutMs,
    }),
    now: Date.now,
  }),
  takeTurn: createChatPace(stores.tallies),
}));
