// The wiring that both send functions share: their queue, the stores, and one log line per attempt.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { buyLinkVariables } from '#shared/alerts/ticket-link.ts';
import type { Send } from '#shared/delivery/attempt.ts';
import { deliveryMessageSchema } from '#shared/delivery/delivery.ts';
import type { RunEdits } from '#shared/delivery/episodes/edit-run.ts';
import { editRunMessageSchema } from '#shared/delivery/episodes/living-message.ts';
import { createAttemptInSight, OurFaultError } from '#shared/delivery/our-faults.ts';
import type { TakeTurn } from '#shared/delivery/pace.ts';
import { channelChats, senderSlots, tallies } from '#shared/dynamo/store-list.ts';
import { openStores, type StoresOf } from '#shared/dynamo/stores.ts';
import { retentionVariables } from '#shared/retention.ts';
import { createDynamo, createSqs } from './aws-clients.ts';
import { type ChannelSenders, createChannelSenders } from './channel-senders.ts';
import { attemptStores, composeAttempt } from './compose-attempt.ts';
import { required } from './config.ts';
import { gatherReads } from './gathered-reads.ts';
import { createObservability } from './observability.ts';
import { createQueueConsumer } from './queue-consumer.ts';
import { reportAttempt, reportEdits } from './report-delivery.ts';

/** The environment of every send function. */
export const deliveryConfigSchema = z.object({
  WATCHLIST_TABLE: required,
  SNAPSHOTS_TABLE: required,
  EMAIL_QUEUE_URL: required,
  WEBHOOK_QUEUE_URL: required,
  ...retentionVariables,
  ...buyLinkVariables,
});

const senderStores = { ...attemptStores, channelChats, senderSlots, tallies };

/** What a send function adds to the wiring; with `runEdits` it also takes messages that ask for edits. */
interface Sending {
  send: Send;
  takeTurn: TakeTurn;
  runEdits?: RunEdits;
}

export interface SenderParts {
  stores: StoresOf<typeof senderStores>;
  senders: ChannelSenders;
  /** For stores that only one of the send functions uses. */
  dynamo: DynamoDBDocumentClient;
}

/** A Lambda handler that runs the attempts that `build` makes from the stores. */
export function createDeliveryConsumer(
  config: z.infer<typeof deliveryConfigSchema>,
  build: (parts: SenderParts) => Sending,
) {
  const observability = createObservability();
  const dynamo = gatherReads(createDynamo());
  const stores = openStores(dynamo, config, senderStores);
  const senders = createChannelSenders(createSqs(), config);
  const { runEdits, ...sending } = build({ stores, senders, dynamo });
  const attempt = createAttemptInSight({
    deliveries: stores.deliveries,
    attempt: composeAttempt({
      ...{ stores, senders, takeSlot: stores.senderSlots },
      ...sending,
      buyLinks: config.BUY_LINK_TEMPLATES,
      random: Math.random,
    }),
  });

  return createQueueConsumer({
    ...observability,
    schema: runEdits
      ? z.union([deliveryMessageSchema, editRunMessageSchema])
      : deliveryMessageSchema,
    handle: async (message, facts) => {
      const startedAt = Date.now();
      if ('edits' in message) {
        const result = await runEdits?.(message.edits, { now: Date.now, ...facts });
        if (result) reportEdits(observability, message.edits, { ...result, startedAt });
        return;
      }
      const { deliveryId } = message;
      const result = await attempt(deliveryId, Date.now, facts.receiveCount);
      reportAttempt(observability, deliveryId, result, { queuedAt: facts.sentAt, startedAt });
      if (!result.isOurFault) return;
      const { reason } = result;
      throw new OurFaultError(`${deliveryId} failed because of an error on our side: ${reason}`);
    },
  });
}
