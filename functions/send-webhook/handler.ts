// Lambda wiring of send-webhook.
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { createGuardedPost } from '#shared/delivery/outbound/guarded-post.ts';
import { createBotUrlReader } from '#shared/delivery/telegram/bot.ts';
import { createSecrets } from '#shared/lambda/aws-clients.ts';
import { httpAddress, readConfig, required } from '#shared/lambda/config.ts';
import { createDeliveryConsumer, deliveryConfigSchema } from '#shared/lambda/delivery-consumer.ts';
import { createSecretReader } from '#shared/lambda/secret.ts';
import { timing } from '#shared/timing.ts';
import { composeSendWebhook } from './compose-send-webhook.ts';

const config = readConfig(
  deliveryConfigSchema.extend({
    LOOPBACK_WEBHOOKS: z.enum(['refused', 'allowed']),
    TELEGRAM_BOT_SECRET: required,
    TELEGRAM_API_URL: httpAddress,
  }),
);
const readBotSecret = createSecretReader(createSecrets(), config.TELEGRAM_BOT_SECRET, Date.now);

export const handler = createDeliveryConsumer(config, (parts) =>
  composeSendWebhook(parts, {
    tables: config,
    post: createGuardedPost({
      policy: { loopback: config.LOOPBACK_WEBHOOKS },
      timeoutMs: timing.webhookTimeoutMs,
    }),
    readBotUrl: createBotUrlReader(readBotSecret, config.TELEGRAM_API_URL),
    buyLinks: config.BUY_LINK_TEMPLATES,
    now: Date.now,
    wait,
  }),
);
