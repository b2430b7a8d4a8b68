// Lambda wiring of evaluate.
import { evaluateMessageSchema } from '#shared/alerts/evaluation.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { createDynamo, createSqs } from '#shared/lambda/aws-clients.ts';
import { createGatheringSenders } from '#shared/lambda/channel-senders.ts';
import { readConfig } from '#shared/lambda/config.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueConsumer } from '#shared/lambda/queue-consumer.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { readRelease } from '#shared/lambda/release.ts';
import { composeEvaluate, evaluateStores } from './compose-evaluate.ts';
import { evaluateConfigSchema } from './config.ts';
import { createEvaluateMessage } from './evaluate-message.ts';
import { reportAlert } from './report-evaluation.ts';
import { shareReads } from './shared-reads.ts';

const config = readConfig(evaluateConfigSchema);
const observability = createObservability();
const sqs = createSqs();
const sendNudges = createQueueSender(sqs, config.EVALUATE_QUEUE_URL);
const evaluate = composeEvaluate({
  stores: shareReads(openStores(gatherReads(createDynamo()), config, evaluateStores), Date.now),
  senders: createGatheringSenders(sqs, config),
  sendNudges,
  release: readRelease(),
  now: Date.now,
  onRaised: (alert) => reportAlert(observability, alert),
});

export const handler = createQueueConsumer({
  ...observability,
  schema: evaluateMessageSchema,
  handle: createEvaluateMessage({
    evaluate,
    sendNudges,
    observability,
    now: Date.now,
  }),
});
