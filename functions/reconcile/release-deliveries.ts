// Enqueues the unfinished deliveries of one shard: those whose message was lost or whose
// sender died, and those whose long wait ends before the next run.

import type { ChannelKind } from '#shared/delivery/channels/channels.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import { longestQueueDelayMs, timing } from '#shared/timing.ts';
import { alone } from './each-alone.ts';

/** SQS refuses a longer delay. */
const mostDelaySeconds = longestQueueDelayMs / 1_000;
/** The message of a younger delivery is most likely still in its queue. */
const graceMs = 30_000;
/** Maximum number of deliveries from one shard per run; the next run takes the rest. */
const deliveriesPerShard = 500;
/** When a queue refuses this many in a row, the queue is at fault: the next run tries again. */
const mostRefused = 50;

interface ReleaseDeps {
  deliveries: Pick<DeliveryStore, 'overdue'>;
  senders: Record<ChannelKind, SendMessages>;
}

/** Enqueueing one twice is harmless: only one claim succeeds. @returns how many were enqueued. */
export async function releaseDeliveries(
  { deliveries, senders }: ReleaseDeps,
  shard: number,
  now: number,
): Promise<number> {
  // A run enqueues everything that falls due before the next run.
  const until = now + timing.reconcileEveryMs;
  const found = await deliveries.overdue(shard, until, deliveriesPerShard);
  const due = found.filter(({ createdAt }) => now - createdAt >= graceMs);
  let released = 0;
  for (const [kind, ofKind] of Map.groupBy(due, ({ channelKind }) => channelKind)) {
    released += await sendEach(senders[kind], ofKind, now);
  }
  return released;
}

/** Sends all in one call, or one by one if that fails permanently, so that one delivery doesn't block the others. */
async function sendEach(
  send: SendMessages,
  due: readonly Delivery[],
  now: number,
): Promise<number> {
  try {
    await send(due.map((delivery) => messageOf(delivery, now)));
    return due.length;
  } catch (error) {
    if (isTransient(error)) throw error;
  }
  let released = 0;
  for (const [index, delivery] of due.entries()) {
    if (released === 0 && index === mostRefused) break;
    const { deliveryId } = delivery;
    await alone({ step: 'deliveries', ids: { deliveryId } }, async () => {
      await send([messageOf(delivery, now)]);
      released += 1;
    });
  }
  return released;
}

function messageOf({ deliveryId, ownerId, nextAttemptAt }: Delivery, now: number) {
  const seconds = Math.ceil(((nextAttemptAt ?? now) - now) / 1_000);
  // SQS refuses the whole batch if one delay is out of bounds, so an invalid time means "now".
  const delaySeconds = Number.isFinite(seconds)
    ? Math.min(Math.max(0, seconds), mostDelaySeconds)
    : 0;
  return { body: { deliveryId }, group: ownerId, delaySeconds };
}
