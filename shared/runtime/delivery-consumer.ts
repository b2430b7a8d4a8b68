// The wiring that both send functions share: their queue, the delivery store, and one log line per
// attempt.
import { createAttempt } from '#shared/alerts/attempt.ts';
import { deliveryMessageSchema } from '#shared/alerts/delivery.ts';
import { createAlertStore } from '#shared/store/alerts.ts';
import { createChannelStore } from '#shared/store/channels.ts';
import { createDeliveryStore } from '#shared/store/deliveries.ts';
import { createWatchlistTable } from '#shared/store/tables.ts';
import { createDynamo, createSqs } from './aws-clients.ts';
import { createObservability } from './observability.ts';
import { createQueueConsumer } from './queue-consumer.ts';
import { createQueueSender } from './queue-sender.ts';

/** A Lambda handler that makes attempts with `send`. */
export function createDeliveryConsumer(options: {
  tableName: string;
  queueUrl: string;
  send: Parameters<typeof createAttempt>[0]['send'];
}) {
  const { logger, metrics } = createObservability();
  const table = createWatchlistTable(createDynamo(), options.tableName);
  const sendToQueue = createQueueSender(createSqs(), options.queueUrl);
  const attempt = createAttempt({
    deliveries: createDeliveryStore(table),
    findAlert: createAlertStore(table).find,
    findChannel: createChannelStore(table).find,
    send: options.send,
    sendAgainLater: (deliveryId, delaySeconds) =>
      sendToQueue([{ body: { deliveryId }, delaySeconds }]),
    random: Math.random,
  });

  return createQueueConsumer({
    schema: deliveryMessageSchema,
    logger,
    metrics,
    handle: async ({ deliveryId }) => {
      const { outcome, reason, delivery } = await attempt(deliveryId, Date.now);
      logger.info('delivery.attempted', {
        deliveryId,
        alertId: delivery?.alertId,
        channelKind: delivery?.channelKind,
        attempt: delivery?.attempts,
        outcome,
        reason,
      });
    },
  });
}
