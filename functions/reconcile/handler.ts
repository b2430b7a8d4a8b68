// Lambda wiring of reconcile.
import * as z from 'zod';
import { openStores } from '#shared/dynamo/stores.ts';
import { createDynamo, createSecrets, createSqs } from '#shared/lambda/aws-clients.ts';
import { createChannelSenders } from '#shared/lambda/channel-senders.ts';
import { readConfig } from '#shared/lambda/config.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { openMarketplace } from '#shared/lambda/marketplace.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { createScheduleConsumer } from '#shared/lambda/schedule-consumer.ts';
import { createSecretReader } from '#shared/lambda/secret.ts';
import { composeReconcile, reconcileStores } from './compose-reconcile.ts';
import { reconcileConfigSchema, reconcileSettings } from './config.ts';
import { marketplaceCalls } from './marketplace-calls.ts';
import { createReport } from './report-reconcile.ts';

const config = readConfig(reconcileConfigSchema);
const observability = createObservability();
const sqs = createSqs();
const secrets = createSecrets();
const report = createReport(observability);
const readWebhook = createSecretReader(secrets, config.OPERATOR_WEBHOOK_SECRET, Date.now);
const reconcile = composeReconcile({
  ...report,
  ...reconcileSettings(config),
  stores: openStores(gatherReads(createDynamo()), config, reconcileStores),
  senders: createChannelSenders(sqs, config),
  sendNudges: createQueueSender(sqs, config.EVALUATE_QUEUE_URL),
  sendJobs: createQueueSender(sqs, config.JOBS_QUEUE_URL),
  operator: { email: config.OPERATOR_EMAIL, readWebhook },
  readMarketplace: openMarketplace(secrets, config, marketplaceCalls),
  now: Date.now,
});
const schema = z.object({ scheduled_time: z.string().min(1) });
const handle = async () => report.finished(await reconcile());

export const handler = createScheduleConsumer({ ...observability, schema, handle });
