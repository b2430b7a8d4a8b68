// Lambda wiring of send-webhook.
import * as z from 'zod';
import { createChatPace } from '#shared/alerts/delivery/pace.ts';
import { createGuardedPost } from '#shared/alerts/outbound/guarded-post.ts';
import { readConfig } from '#shared/runtime/config.ts';
import { createDeliveryConsumer, deliveryConfigSchema } from '#shared/runtime/delivery-consumer.ts';
import { createTallyStore } from '#shared/store/tallies.ts';
import { createSendWebhook } from './send-webhook.ts';

const config = readConfig(
  deliveryConfigSchema.extend({ LOOPBACK_WEBHOOKS: z.enum(['refused', 'allowed']) }),
);

export const handler = createDeliveryConsumer(config, (watchlist) => ({
  send: createSendWebhook({
    post: createGuardedPost({ policy: { loopback: config.LOOPBACK_WEBHOOKS } }),
    now: Date.now,
  }),
  takeTurn: createChatPace(createTallyStore(watchlist)),
}));
