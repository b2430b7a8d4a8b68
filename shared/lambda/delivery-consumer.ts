// The wiring that both send functions share: their queue, the stores, and one log line per attempt.
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import * as z from 'zod';
import type { AttemptResult, Send } from '#shared/delivery/attempt.ts';
import { createDelivering } from '#shared/delivery/delivering.ts';
import { deliveryMessageSchema } from '#shared/delivery/delivery.ts';
import { createAttemptInSight, OurFaultError } from '#shared/delivery/our-faults.ts';
import type { TakeTurn } from '#shared/delivery/pace.ts';
import { createSenderSlots } from '#shared/dynamo/sender-slots.ts';
import type { WatchlistTable } from '#shared/dynamo/tables.ts';
import { createDynamo, createSqs } from './aws-clients.ts';
import { createChannelSenders } from './channel-senders.ts';
import { required } from './config.ts';
import { openDeliveryStores } from './delivery-stores.ts';
import { gatherReads } from './gathered-reads.ts';
import { createObservability } from './observability.ts';
import { createQueueConsumer } from './queue-consumer.ts';

/** What every send function needs of its environment. */
export const deliveryConfigSchema = z.object({
  WATCHLIST_TABLE: required,
  SNAPSHOTS_TABLE: required,
  EMAIL_QUEUE_URL: required,
  WEBHOOK_QUEUE_URL: required,
});

/** What each outcome counts as; what is put off or somebody else's counts when it is attempted. */
const metricOf: Partial<Record<AttemptResult['outcome'], string>> = {
  sent: 'deliveriesSent',
  unconfirmed: 'deliveriesSent',
  retry: 'deliveriesRetried',
  failed: 'deliveriesFailed',
  suppressed: 'deliveriesSuppressed',
};

/** A Lambda handler that makes attempts with what `build` makes over the table. */
export function createDeliveryConsumer(
  config: z.infer<typeof deliveryConfigSchema>,
  build: (watchlist: WatchlistTable) => { send: Send; takeTurn: TakeTurn },
) {
  const { logger, metrics } = createObservability();
  const { watchlist, stores } = openDeliveryStores(gatherReads(createDynamo()), config);
  const delivering = createDelivering({
    stores,
    senders: createChannelSenders(createSqs(), config),
    takeSlot: createSenderSlots(watchlist),
    ...build(watchlist),
    random: Math.random,
  });
  const attempt = createAttemptInSight({ deliveries: stores.deliveries, attempt: delivering });

  return createQueueConsumer({
    schema: deliveryMessageSchema,
    logger,
    metrics,
    handle: async ({ deliveryId }, { receiveCount, sentAt }) => {
      const startedAt = Date.now();
      const result = await attempt(deliveryId, Date.now, receiveCount);
      const { outcome, reason, delivery } = result;
      const metric = metricOf[outcome];
      if (metric) metrics.addMetric(metric, MetricUnit.Count, 1);
      const [alertId] = delivery?.alertIds ?? [];
      logger.info('delivery.attempted', {
        deliveryId,
        alertId,
        alerts: delivery?.alertIds?.size ?? 0,
        purpose: delivery?.purpose,
        channelId: delivery?.channelId,
        channelKind: delivery?.channelKind,
        attempt: delivery?.attempts,
        queuedAt: sentAt,
        startedAt,
        outcome,
        reason,
      });
      if (result.isOurFault)
        throw new OurFaultError(`${deliveryId} failed by our fault: ${reason}`);
    },
  });
}
