// Lambda wiring of the watchlist API.
import { setTimeout as wait } from 'node:timers/promises';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { createDynamo, createSecrets, createSqs } from '#shared/lambda/aws-clients.ts';
import { createChannelSenders } from '#shared/lambda/channel-senders.ts';
import { readConfig } from '#shared/lambda/config.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { openMarketplaceLate } from '#shared/lambda/marketplace-late.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { createSecretReader } from '#shared/lambda/secret.ts';
import { composeApi } from './compose-api.ts';
import { apiConfigSchema, apiSettings } from './config.ts';
import { createObservedHandler } from './lambda-handler.ts';
import { createLazyApp } from './lazy-app.ts';
import { openBot } from './telegram/open-bot.ts';

const config = readConfig(apiConfigSchema);
const observability = createObservability();
const secrets = createSecrets();
const sqs = createSqs();
const deps = composeApi({
  ...apiSettings(config),
  ...openBot(secrets, config),
  stores: openStores(gatherReads(createDynamo()), config, everyStore),
  readMarketplace: openMarketplaceLate(secrets, config, () => import('./marketplace-calls.ts')),
  sendNudges: createQueueSender(sqs, config.EVALUATE_QUEUE_URL),
  sendJobs: createQueueSender(sqs, config.JOBS_QUEUE_URL),
  senders: createChannelSenders(sqs, config),
  readLinkSecret: createSecretReader(secrets, config.LINK_SECRET, Date.now),
  readAdminSecret: createSecretReader(secrets, config.ADMIN_KEY_SECRET, Date.now),
  logger: observability.logger,
  now: Date.now,
  wait: (ms) => wait(ms),
});

export const handler = createObservedHandler(createLazyApp(deps), observability);
