// Lambda wiring of poll.
import { openStores } from '#shared/dynamo/stores.ts';
import { createDynamo, createSecrets, createSqs } from '#shared/lambda/aws-clients.ts';
import { readConfig } from '#shared/lambda/config.ts';
import { openMarketplace } from '#shared/lambda/marketplace.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueConsumer } from '#shared/lambda/queue-consumer.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { readAssumptions } from '#shared/polling/assumptions.ts';
import { pollMessageSchema } from '#shared/polling/feed.ts';
import { composePoll, pollStores } from './compose-poll.ts';
import { pollConfigSchema } from './config.ts';
import { composeFetch, feedCalls } from './feeds/feeds.ts';
import { reportPoll } from './report-poll.ts';

const config = readConfig(pollConfigSchema);
const observability = createObservability();
const stores = openStores(createDynamo(), config, pollStores);
const assumptions = readAssumptions(config);
const readMarketplace = openMarketplace(createSecrets(), config, feedCalls);
const poll = composePoll({
  stores,
  fetch: composeFetch({ stores, readMarketplace, assumptions, now: Date.now }),
  sendNudges: createQueueSender(createSqs(), config.EVALUATE_QUEUE_URL),
  sendNotice: async (noticeId) => observability.logger.warn('notice.made', { noticeId }),
  assumptions,
});

export const handler = createQueueConsumer({
  ...observability,
  schema: pollMessageSchema,
  handle: async (message, { remainingMs, sentAt }) => {
    const startedAt = Date.now();
    const result = await poll(message, { now: Date.now, remainingMs });
    reportPoll(observability, message, result, { dispatchedAt: sentAt, startedAt });
  },
});
