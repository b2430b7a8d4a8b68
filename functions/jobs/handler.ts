// Lambda wiring of jobs.
import { randomUUID } from 'node:crypto';
import { quotasFor } from '#functions/api/quotas.ts';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { createDynamo, createSecrets, createSqs } from '#shared/lambda/aws-clients.ts';
import { readConfig } from '#shared/lambda/config.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { openMarketplace } from '#shared/lambda/marketplace.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueConsumer } from '#shared/lambda/queue-consumer.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { fetchSearchPage } from '#shared/marketplace/search.ts';
import { fetchStatsPage } from '#shared/marketplace/stats.ts';
import { readAssumptions } from '#shared/polling/assumptions.ts';
import { readPullCaps } from '#shared/polling/polling-config.ts';
import { jobMessageSchema } from '#shared/watchlist/job.ts';
import { composeJobDeps, composeJobs } from './compose-jobs.ts';
import { jobsConfigSchema } from './config.ts';

const config = readConfig(jobsConfigSchema);
const observability = createObservability();
const sqs = createSqs();
const calls = { searchPage: fetchSearchPage, statsPage: fetchStatsPage };
const runJob = composeJobs(
  composeJobDeps({
    stores: openStores(gatherReads(createDynamo()), config, everyStore),
    readMarketplace: openMarketplace(createSecrets(), config, calls),
    sendNudges: createQueueSender(sqs, config.EVALUATE_QUEUE_URL),
    sendJobs: createQueueSender(sqs, config.JOBS_QUEUE_URL),
    pullCaps: readPullCaps(config),
    quotas: quotasFor(config.OWNER_WATCH_QUOTA),
    assumptions: readAssumptions(config),
    now: Date.now,
  }),
);

export const handler = createQueueConsumer({
  ...observability,
  schema: jobMessageSchema,
  handle: async (message, { remainingMs }) => {
    const result = await runJob(message, randomUUID(), { now: Date.now, remainingMs });
    observability.logger.info('job.run', { ...message, ...result });
  },
});
