// Lambda wiring of send-email.
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { mailAddress } from '#shared/delivery/channels/mail-address.ts';
import { createMailPace } from '#shared/delivery/pace.ts';
import { mailRate } from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { createSes } from '#shared/lambda/aws-clients.ts';
import { readConfig } from '#shared/lambda/config.ts';
import { createDeliveryConsumer, deliveryConfigSchema } from '#shared/lambda/delivery-consumer.ts';
import { createSendEmail } from './send-email.ts';
import { createSendRateReader } from './send-rate.ts';

const config = readConfig(
  deliveryConfigSchema.extend({
    EMAIL_SENDER: mailAddress,
    /** Without a configuration set, bounces and complaints don't reach mail-feedback. */
    CONFIGURATION_SET: z.string().optional(),
  }),
);
const client = createSes();

export const handler = createDeliveryConsumer(config, ({ stores, dynamo }) => ({
  send: createSendEmail({
    client,
    sender: config.EMAIL_SENDER,
    configurationSet: config.CONFIGURATION_SET || undefined,
    suppressionReason: stores.suppressions.reasonFor,
  }),
  takeTurn: createMailPace({
    tallies: stores.tallies,
    readSendRate: createSendRateReader({
      ...openStores(dynamo, config, { mailRate }),
      ...{ client, now: Date.now },
    }),
    wait,
    random: Math.random,
  }),
}));
