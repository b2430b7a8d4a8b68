// Lambda wiring of send-webhook.
import * as z from 'zod';
import { createGuardedPost } from '#shared/alerts/guarded-post.ts';
import { createChatPace } from '#shared/alerts/pace.ts';
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
