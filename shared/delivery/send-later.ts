// Schedules a delivery's next attempt: soon by a delayed message, later by the due index and reconcile.

import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { longestQueueDelayMs } from '#shared/timing.ts';
import type { ChannelKind } from './channels/channels.ts';
import type { Delivery } from './delivery.ts';

/** @param until when the delivery is due, epoch ms. */
export type SendLater = (
  delivery: Pick<Delivery, 'deliveryId' | 'ownerId' | 'channelKind'>,
  until: number,
  now: number,
) => Promise<void>;

/** @param senders the queue of each kind of channel. */
export function createSendLater(senders: Record<ChannelKind, SendMessages>): SendLater {
  return async function sendLater({ deliveryId, ownerId, channelKind }, until, now) {
    const delayMs = Math.max(0, until - now);
    // Reconcile enqueues deliveries with longer waits.
    if (delayMs > longestQueueDelayMs) return;
    await senders[channelKind]([
      { body: { deliveryId }, group: ownerId, delaySeconds: Math.ceil(delayMs / 1_000) },
    ]);
  };
}
