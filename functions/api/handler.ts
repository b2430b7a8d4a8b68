// Lambda wiring of the watchlist API.
import { setTimeout } from 'node:timers/promises';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import * as z from 'zod';
import { createLinks } from '#shared/delivery/links.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import { createRollUp } from '#shared/dynamo/roll-up.ts';
import { createStores } from '#shared/dynamo/stores.ts';
import { createDynamo, createSecrets, createSqs } from '#shared/lambda/aws-clients.ts';
import { createChannelSenders } from '#shared/lambda/channel-senders.ts';
import { httpAddress, readConfig, required } from '#shared/lambda/config.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { createMarketplaceReader } from '#shared/lambda/marketplace.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { createSecretReader } from '#shared/lambda/secret.ts';
import { fetchListingsPage } from '#shared/marketplace/listings.ts';
import { fetchSearchPage } from '#shared/marketplace/search.ts';
import { assumptionVariables, readAssumptions } from '#shared/polling/assumptions.ts';
import { capVariables } from '#shared/polling/polling-config.ts';
import { adminKeyFromSecret } from './admin-key.ts';
import { createApp } from './app.ts';
import { createResolveEvent } from './events/resolve-event.ts';
import { createSearchEvents } from './events/search-events.ts';
import { createLambdaHandler } from './lambda-handler.ts';
import { ownerWatchQuota, quotasFor } from './quotas.ts';

const config = readConfig(
  z.object({
    WATCHLIST_TABLE: required,
    SNAPSHOTS_TABLE: required,
    EVALUATE_QUEUE_URL: required,
    EMAIL_QUEUE_URL: required,
    WEBHOOK_QUEUE_URL: required,
    MARKETPLACE_URL: httpAddress,
    MARKETPLACE_KEY_SECRET: required,
    ADMIN_KEY_SECRET: required,
    LINK_SECRET: required,
    PUBLIC_URL: httpAddress,
    LOOPBACK_WEBHOOKS: z.enum(['refused', 'allowed']),
    OWNER_WATCH_QUOTA: ownerWatchQuota,
    ...capVariables,
    ...assumptionVariables,
  }),
);
const { logger, metrics } = createObservability();
const secrets = createSecrets();
const sqs = createSqs();
const readAdminSecret = createSecretReader(secrets, config.ADMIN_KEY_SECRET, Date.now);

const stores = createStores(gatherReads(createDynamo()), config);
const pullCaps = { daily: config.DAILY_PULL_CAP, monthly: config.MONTHLY_PULL_CAP };
const readMarketplace = createMarketplaceReader({
  baseUrl: config.MARKETPLACE_URL,
  readKey: createSecretReader(secrets, config.MARKETPLACE_KEY_SECRET, Date.now),
  calls: { searchPage: fetchSearchPage, listingsPage: fetchListingsPage },
});
const app = createApp({
  stores,
  loadHistory: createLoadHistory({ ...stores, rollUp: createRollUp(stores) }),
  searchEvents: createSearchEvents({ stores, readMarketplace, now: Date.now }),
  resolveEvent: createResolveEvent({ stores, readMarketplace, pullCaps }),
  pullCaps,
  quotas: quotasFor(config.OWNER_WATCH_QUOTA),
  assumptions: readAssumptions(config),
  sendNudges: createQueueSender(sqs, config.EVALUATE_QUEUE_URL),
  senders: createChannelSenders(sqs, config),
  links: createLinks(createSecretReader(secrets, config.LINK_SECRET, Date.now), config.PUBLIC_URL),
  readAdminKey: async () => adminKeyFromSecret(await readAdminSecret()),
  outbound: { loopback: config.LOOPBACK_WEBHOOKS },
  logger,
  now: Date.now,
  wait: (ms) => setTimeout(ms),
});

/** Most requests count nothing, and Powertools warns of that. */
function publishMetrics(): void {
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
}

export const handler = middy(createLambdaHandler(app))
  .use(injectLambdaContext(logger, { resetKeys: true }))
  .use({ after: publishMetrics, onError: publishMetrics });
