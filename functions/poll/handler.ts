// Lambda wiring of poll.
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import * as z from 'zod';
import { createDynamo, createSecrets, createSqs } from '#shared/lambda/aws-clients.ts';
import { httpAddress, readConfig, required } from '#shared/lambda/config.ts';
import { createMarketplaceReader } from '#shared/lambda/marketplace.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueConsumer } from '#shared/lambda/queue-consumer.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { createSecretReader } from '#shared/lambda/secret.ts';
import { walkListings } from '#shared/marketplace/listings.ts';
import { walkStats } from '#shared/marketplace/stats.ts';
import { assumptionVariables, readAssumptions } from '#shared/polling/assumptions.ts';
import { pollMessageSchema } from '#shared/polling/feed.ts';
import { createNotify } from '#shared/polling/notify.ts';
import { createPollFeed } from './create-poll-feed.ts';
import { createFetchListings } from './fetch-listings.ts';
import { createFetchStats } from './fetch-stats.ts';
import type { PollResult } from './poll.ts';
import { openPollStores } from './stores.ts';

const config = readConfig(
  z.object({
    WATCHLIST_TABLE: required,
    SNAPSHOTS_TABLE: required,
    EVALUATE_QUEUE_URL: required,
    MARKETPLACE_URL: httpAddress,
    MARKETPLACE_KEY_SECRET: required,
    ...assumptionVariables,
  }),
);
const { logger, metrics } = createObservability();
const sqs = createSqs();
const stores = openPollStores(createDynamo(), config);
const sendNudge = createQueueSender(sqs, config.EVALUATE_QUEUE_URL);
const assumptions = readAssumptions(config);
const readMarketplace = createMarketplaceReader({
  baseUrl: config.MARKETPLACE_URL,
  readKey: createSecretReader(createSecrets(), config.MARKETPLACE_KEY_SECRET, Date.now),
  calls: { stats: walkStats, listings: walkListings },
});
const poll = createPollFeed({
  stores,
  fetch: {
    stats: createFetchStats({
      readMarketplace,
      storedBetween: stores.snapshots.between,
      assumptions,
      now: Date.now,
    }),
    listings: createFetchListings({
      readMarketplace,
      seriesOf: stores.triggers.seriesOf,
      newestSnapshot: stores.snapshots.newest,
      assumptions,
      now: Date.now,
    }),
  },
  sendNudge: (message) => sendNudge([{ body: message, group: String(message.eventId) }]),
  notify: createNotify({
    createNotice: stores.notices.create,
    // Reconcile hands every stored notice to its sender, within five minutes.
    sendNotice: async (noticeId) => logger.warn('notice.made', { noticeId }),
  }),
  assumptions,
});

export const handler = createQueueConsumer({
  schema: pollMessageSchema,
  logger,
  metrics,
  handle: async (message, { remainingMs, sentAt }) => {
    const startedAt = Date.now();
    const result = await poll(message, { now: Date.now, remainingMs });
    countPoll(result);
    const { eventId, kind: feedKind } = message;
    const facts = { eventId, feedKind, ...result, dispatchedAt: sentAt, startedAt };
    if (result.outcome === 'failed')
      logger.warn('poll.finished', { ...facts, error: result.error as Error });
    else logger.info('poll.finished', facts);
  },
});

function countPoll(result: PollResult): void {
  metrics.addMetric('polls', MetricUnit.Count, 1);
  metrics.addMetric('pollsFailed', MetricUnit.Count, result.outcome === 'failed' ? 1 : 0);
  const { pulls, newSnapshots } =
    result.outcome === 'polled' ? result : { pulls: 0, newSnapshots: 0 };
  metrics.addMetric('pullsCharged', MetricUnit.Count, pulls);
  metrics.addMetric('snapshotsStored', MetricUnit.Count, newSnapshots);
  if (result.outcome === 'polled' && result.setAside > 0) {
    metrics.addMetric('faultsSetAside', MetricUnit.Count, result.setAside);
  }
}
