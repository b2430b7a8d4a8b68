// Lambda wiring of poll.
import * as z from 'zod';
import { pollMessageSchema } from '#shared/polling/feed.ts';
import { createDynamo, createSecrets, createSqs } from '#shared/runtime/aws-clients.ts';
import { httpAddress, readConfig, required } from '#shared/runtime/config.ts';
import { createMarketplaceReader } from '#shared/runtime/marketplace.ts';
import { createObservability } from '#shared/runtime/observability.ts';
import { createQueueConsumer } from '#shared/runtime/queue-consumer.ts';
import { createQueueSender } from '#shared/runtime/queue-sender.ts';
import { createSecretReader } from '#shared/runtime/secret.ts';
import { createStores } from '#shared/store/stores.ts';
import { createFetchStats } from './fetch-stats.ts';
import { createPoll } from './poll.ts';

const config = readConfig(
  z.object({
    WATCHLIST_TABLE: required,
    SNAPSHOTS_TABLE: required,
    EVALUATE_QUEUE_URL: required,
    MARKETPLACE_URL: httpAddress,
    MARKETPLACE_KEY_SECRET: required,
  }),
);
const { logger, metrics } = createObservability();
const stores = createStores(createDynamo(), config);
const sendNudge = createQueueSender(createSqs(), config.EVALUATE_QUEUE_URL);
const readMarketplace = createMarketplaceReader(
  config.MARKETPLACE_URL,
  createSecretReader(createSecrets(), config.MARKETPLACE_KEY_SECRET, Date.now),
);
const poll = createPoll({
  feeds: stores.feeds,
  snapshots: stores.snapshots,
  pulls: stores.pulls,
  fetchStats: createFetchStats(readMarketplace, Date.now),
  sendNudge: (message) => sendNudge([{ body: message }]),
});

export const handler = createQueueConsumer({
  schema: pollMessageSchema,
  logger,
  metrics,
  handle: async (message, { remainingMs }) => {
    const result = await poll(message, { now: Date.now, remainingMs });
    const facts = { eventId: message.eventId, feedKind: message.kind, ...result };
    if (result.outcome === 'failed')
      logger.warn('poll.finished', { ...facts, error: result.error as Error });
    else logger.info('poll.finished', facts);
  },
});
