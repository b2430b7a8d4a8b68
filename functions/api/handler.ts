// Lambda wiring of the watchlist API.
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import { handle } from 'hono/aws-lambda';
import * as z from 'zod';
import { createDynamo, createSecrets, createSqs } from '#shared/runtime/aws-clients.ts';
import { httpAddress, readConfig, required } from '#shared/runtime/config.ts';
import { createMarketplaceReader } from '#shared/runtime/marketplace.ts';
import { createObservability } from '#shared/runtime/observability.ts';
import { createQueueSender } from '#shared/runtime/queue-sender.ts';
import { createSecretReader } from '#shared/runtime/secret.ts';
import { createLoadHistory } from '#shared/store/history.ts';
import { createRollUp } from '#shared/store/roll-up.ts';
import { createStores } from '#shared/store/stores.ts';
import { adminKeyFromSecret } from './admin-key.ts';
import { createApp } from './app.ts';
import { createSearchEvents } from './search-events.ts';

const config = readConfig(
  z.object({
    WATCHLIST_TABLE: required,
    SNAPSHOTS_TABLE: required,
    EVALUATE_QUEUE_URL: required,
    MARKETPLACE_URL: httpAddress,
    MARKETPLACE_KEY_SECRET: required,
    ADMIN_KEY_SECRET: required,
    LOOPBACK_WEBHOOKS: z.enum(['refused', 'allowed']),
  }),
);
const { logger } = createObservability();
const secrets = createSecrets();
const readAdminSecret = createSecretReader(secrets, config.ADMIN_KEY_SECRET, Date.now);

const stores = createStores(createDynamo(), config);
const app = createApp({
  stores,
  loadHistory: createLoadHistory({ ...stores, rollUp: createRollUp(stores) }),
  searchEvents: createSearchEvents(
    createMarketplaceReader(
      config.MARKETPLACE_URL,
      createSecretReader(secrets, config.MARKETPLACE_KEY_SECRET, Date.now),
    ),
    Date.now,
  ),
  sendNudges: createQueueSender(createSqs(), config.EVALUATE_QUEUE_URL),
  readAdminKey: async () => adminKeyFromSecret(await readAdminSecret()),
  outbound: { loopback: config.LOOPBACK_WEBHOOKS },
  logger,
  now: Date.now,
});

export const handler = middy(handle(app)).use(injectLambdaContext(logger, { resetKeys: true }));
