// The wiring that both send functions share: their queue, the stores, and one log line per attempt.
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import * as z from 'zod';
import type { Send } from '#shared/delivery/attempt.ts';
import type { AttemptResult } from '#shared/delivery/attempt-result.ts';
import { deliveryMessageSchema } from '#shared/delivery/delivery.ts';
import { createAttemptInSight, OurFaultError } from '#shared/delivery/our-faults.ts';
import type { TakeTurn } from '#shared/delivery/pace.ts';
import { senderSlots, tallies } from '#shared/dynamo/store-list.ts';
import { openStores, type StoresOf } from '#shared/dynamo/stores.ts';
import { retentionVariables } from '#shared/retention.ts';
import { createDynamo, createSqs } from './aws-clients.ts';
import { createChannelSenders } from './channel-senders.ts';
import { attemptStores, composeAttempt } from './compose-attempt.ts';
import { required } from './config.ts';
import { gatherReads } from './gathered-reads.ts';
import { createObservability } from './observability.ts';
import { createQueueConsumer } from './queue-consumer.ts';

/** The environment of every send function. */
export const deliveryConfigSchema = z.object({
  WATCHLIST_TABLE: required,
  SNAPSHOTS_TABLE: required,
  EMAIL_QUEUE_URL: required,
  WEBHOOK_QUEUE_URL: required,
  ...retentionVariables,
});

const senderStores = { ...attemptStores, senderSlots, tallies };

/** The metric of each outcome. A delivery that was postponed, or that another sender holds, counts when it is attempted. */
const metricOf: Partial<Record<AttemptResult['outcome'], string>> = {
  sent: 'deliveriesSent',
  unconfirmed: 'deliveriesSent',
  retry: 'deliveriesRetried',
  failed: 'deliveriesFailed',
  suppressed: 'deliveriesSuppressed',
};

/** A Lambda handler that runs the attempts that `build` makes from the stores. */
export function createDeliveryConsumer(
  config: z.infer<typeof deliveryConfigSchema>,
  build: (stores: StoresOf<typeof senderStores>) => { send: Send; takeTurn: TakeTurn },
) {
  const { logger, metrics } = createObservability();
  const stores = openStores(gatherReads(createDynamo()), config, senderStores);
  const attempt = createAttemptInSight({
    deliveries: stores.deliveries,
    attempt: composeAttempt({
      stores,
      senders: createChannelSenders(createSqs(), config),
      takeSlot: stores.senderSlots,
      ...build(stores),
      random: Math.random,
    }),
  });

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
        throw new OurFaultError(`${deliveryId} failed because of an error on our side: ${reason}`);
    },
  });
}
