// Lambda wiring of reconcile.
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import * as z from 'zod';
import { createTellOwner } from '#shared/delivery/tell-owner.ts';
import { createDynamo, createSecrets, createSqs } from '#shared/lambda/aws-clients.ts';
import { createChannelSenders } from '#shared/lambda/channel-senders.ts';
import { httpAddress, readConfig, required } from '#shared/lambda/config.ts';
import { createMarketplaceReader } from '#shared/lambda/marketplace.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { createScheduleConsumer } from '#shared/lambda/schedule-consumer.ts';
import { createSecretReader } from '#shared/lambda/secret.ts';
import { fetchAccount, fetchUsage } from '#shared/marketplace/account.ts';
import { openDailyCsv } from '#shared/marketplace/daily-csv.ts';
import { fetchSearchPage } from '#shared/marketplace/search.ts';
import { assumptionVariables, readAssumptions } from '#shared/polling/assumptions.ts';
import { capVariables } from '#shared/polling/polling-config.ts';
import { createSettleWatch } from '#shared/watchlist/settle-watch.ts';
import { createReconcileFleet } from './create-reconcile-fleet.ts';
import { createKeepOperatorChannels } from './operator-channels.ts';
import { createReconcile } from './reconcile.ts';
import { type OnStepFailed, runSteps } from './run-steps.ts';
import { createSendNotice } from './send-notice.ts';
import { createSettleWatches } from './settle-watches.ts';
import { openReconcileStores } from './stores.ts';

const config = readConfig(
  z.object({
    WATCHLIST_TABLE: required,
    EVALUATE_QUEUE_URL: required,
    EMAIL_QUEUE_URL: required,
    WEBHOOK_QUEUE_URL: required,
    MARKETPLACE_URL: httpAddress,
    MARKETPLACE_KEY_SECRET: required,
    OPERATOR_EMAIL: z.string().default(''),
    OPERATOR_WEBHOOK_SECRET: required,
    ...capVariables,
    ...assumptionVariables,
  }),
);
const { logger, metrics } = createObservability();
const sqs = createSqs();
const secrets = createSecrets();
const stores = openReconcileStores(createDynamo(), config);
const senders = createChannelSenders(sqs, config);
const resume = createReconcile({
  ...stores,
  senders,
  sendNudges: createQueueSender(sqs, config.EVALUATE_QUEUE_URL),
});
const onStepFailed: OnStepFailed = (step, error) => {
  metrics.addMetric('stepsFailed', MetricUnit.Count, 1);
  logger.error('reconcile.step_failed', { step, error: error as Error });
};
const settleWatches = createSettleWatches({ ...stores, settle: createSettleWatch(stores) });
const keepOperatorChannels = createKeepOperatorChannels(stores.channels, {
  email: config.OPERATOR_EMAIL,
  readWebhook: createSecretReader(secrets, config.OPERATOR_WEBHOOK_SECRET, Date.now),
});
const reconcileFleet = createReconcileFleet({
  stores,
  readMarketplace: createMarketplaceReader({
    baseUrl: config.MARKETPLACE_URL,
    readKey: createSecretReader(secrets, config.MARKETPLACE_KEY_SECRET, Date.now),
    calls: {
      account: fetchAccount,
      usage: fetchUsage,
      dailyCsv: openDailyCsv,
      searchPage: fetchSearchPage,
    },
  }),
  caps: { daily: config.DAILY_PULL_CAP, monthly: config.MONTHLY_PULL_CAP },
  assumptions: readAssumptions(config),
  sendNotice: createSendNotice({
    notices: stores.notices,
    tellOwner: createTellOwner({ ...stores, senders }),
    now: Date.now,
    onSent: ({ noticeId, audience, kind }, channels) =>
      logger.warn('notice.sent', { noticeId, audience, kind, channels }),
  }),
  onStepFailed,
});

export const handler = createScheduleConsumer({
  schema: z.object({ scheduled_time: z.string().min(1) }),
  logger,
  metrics,
  handle: async () => {
    const now = Date.now();
    const settledWatches = await settleWatches(now);
    const resumed = await resume(now);
    const kept = await runSteps({ operator: () => keepOperatorChannels(now) }, onStepFailed);
    const fleet = await reconcileFleet(now);
    metrics.addMetric('stepsFailed', MetricUnit.Count, 0);
    metrics.addMetric('pollLagMs', MetricUnit.Milliseconds, fleet.pollLagMs);
    if (fleet.budget) {
      const { forecastPercent } = fleet.budget;
      metrics.addMetric('budgetForecastPercent', MetricUnit.Percent, forecastPercent);
    }
    logger.info('reconcile.finished', { settledWatches, ...resumed, ...kept, ...fleet });
  },
});
