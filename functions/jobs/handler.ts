// Lambda wiring of jobs.
import { randomUUID } from 'node:crypto';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { createDynamo, createSecrets, createSqs } from '#shared/lambda/aws-clients.ts';
import { readConfig } from '#shared/lambda/config.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { openMarketplaceLate } from '#shared/lambda/marketplace-late.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueConsumer } from '#shared/lambda/queue-consumer.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { jobMessageSchema } from '#shared/watchlist/job.ts';
import { composeJobDeps, composeJobs } from './compose-jobs.ts';
import { jobSettings, jobsConfigSchema } from './config.ts';

const config = readConfig(jobsConfigSchema);
const observability = createObservability();
const sqs = createSqs();
const loadCalls = () => import('./marketplace-calls.ts');
const runJob = composeJobs(
  composeJobDeps({
    ...jobSettings(config),
    stores: openStores(gatherReads(createDynamo()), config, everyStore),
    readMarketplace: openMarketplaceLate(createSecrets(), config, loadCalls),
    sendNudges: createQueueSender(sqs, config.EVALUATE_QUEUE_URL),
    sendJobs: createQueueSender(sqs, config.JOBS_QUEUE_URL),
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
