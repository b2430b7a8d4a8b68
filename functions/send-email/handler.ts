// Lambda wiring of send-email.
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { createMailPace } from '#shared/alerts/pace.ts';
import { createSes } from '#shared/runtime/aws-clients.ts';
import { readConfig, required } from '#shared/runtime/config.ts';
import { createDeliveryConsumer, deliveryConfigSchema } from '#shared/runtime/delivery-consumer.ts';
import { createSendEmail } from './send-email.ts';
import { createSendRateReader } from './send-rate.ts';

const config = readConfig(
  deliveryConfigSchema.extend({
    EMAIL_SENDER: required,
    /** Without one, bounces and complaints are not heard of. */
    CONFIGURATION_SET: z.string().optional(),
  }),
);
const client = createSes();

export const handler = createDeliveryConsumer(config, ({ suppressions, tallies }) => ({
  send: createSendEmail({
    client,
    sender: config.EMAIL_SENDER,
    configurationSet: config.CONFIGURATION_SET || undefined,
    suppressionReason: suppressions.reasonFor,
  }),
  takeTurn: createMailPace({
    tallies,
    readSendRate: createSendRateReader(client, Date.now),
    wait,
    random: Math.random,
  }),
}));
