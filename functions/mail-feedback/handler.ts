// Lambda wiring of mail-feedback.
import * as z from 'zod';
import { createFallBack } from '#shared/alerts/delivery/fallback.ts';
import { createSwitchOff } from '#shared/alerts/delivery/switch-off.ts';
import { createTellOwner } from '#shared/alerts/delivery/tell-owner.ts';
import { createFindUnreached } from '#shared/alerts/unreached.ts';
import { createDynamo, createSqs } from '#shared/runtime/aws-clients.ts';
import { createChannelSenders } from '#shared/runtime/channel-senders.ts';
import { readConfig, required } from '#shared/runtime/config.ts';
import { createObservability } from '#shared/runtime/observability.ts';
import { createQueueConsumer } from '#shared/runtime/queue-consumer.ts';
import { createAlertStore } from '#shared/store/alerts.ts';
import { createChannelHealthStore } from '#shared/store/channel-health.ts';
import { createChannelStore } from '#shared/store/channels.ts';
import { createDeliveryStore } from '#shared/store/deliveries.ts';
import { createSuppressionStore } from '#shared/store/suppressions.ts';
import { createWatchlistTable } from '#shared/store/tables.ts';
import { createWatchStore } from '#shared/store/watches.ts';
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
