// Lambda wiring of mail-feedback.
import * as z from 'zod';
import { createFindUnreached } from '#shared/alerts/unreached.ts';
import { createFallBack } from '#shared/delivery/fallback.ts';
import { createSwitchOff } from '#shared/delivery/switch-off.ts';
import { createTellOwner } from '#shared/delivery/tell-owner.ts';
import { createAlertStore } from '#shared/dynamo/alerts.ts';
import { createChannelHealthStore } from '#shared/dynamo/channel-health.ts';
import { createChannelStore } from '#shared/dynamo/channels.ts';
import { createDeliveryStore } from '#shared/dynamo/deliveries.ts';
import { createSuppressionStore } from '#shared/dynamo/suppressions.ts';
import { createWatchlistTable } from '#shared/dynamo/tables.ts';
import { createWatchStore } from '#shared/dynamo/watches.ts';
import { createDynamo, createSqs } from '#shared/lambda/aws-clients.ts';
import { createChannelSenders } from '#shared/lambda/channel-senders.ts';
import { readConfig, required } from '#shared/lambda/config.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueConsumer } from '#shared/lambda/queue-consumer.ts';
import { createMailFeedback } from './mail-feedback.ts';

const config = readConfig(
  z.object({ WATCHLIST_TABLE: required, EMAIL_QUEUE_URL: required, WEBHOOK_QUEUE_URL: required }),
);
const { logger, metrics } = createObservability();
const table = createWatchlistTable(createDynamo(), config.WATCHLIST_TABLE);
const senders = createChannelSenders(createSqs(), config);
const alerts = createAlertStore(table);
const channels = createChannelStore(table);
const channelHealth = createChannelHealthStore(table);
const deliveries = createDeliveryStore(table);
const suppressions = createSuppressionStore(table);
const watches = createWatchStore(table);

const mailFeedback = createMailFeedback({
  suppressions,
  channels,
  deliveries,
  fallBack: createFallBack({
    findChannel: channels.find,
    findAlert: alerts.find,
    findWatch: watches.find,
    deliveries,
    senders,
  }),
  switchOff: createSwitchOff({
    channels,
    findUnreached: createFindUnreached({
      listWatches: watches.listAll,
      findChannel: channels.find,
      findHealth: channelHealth.find,
      findSuppression: suppressions.find,
    }),
    tellOwner: createTellOwner({ channels, deliveries, senders }),
  }),
  onVerdict: (verdict) => logger.info('mail.feedback', verdict),
});

export const handler = createQueueConsumer({
  schema: z.unknown(),
  logger,
  metrics,
  handle: (message) => mailFeedback(message, Date.now()),
});
