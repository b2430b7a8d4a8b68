// Hands the unfinished deliveries of one shard to their queues: those whose message was lost or whose
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
/** The message of a delivery that is younger is most likely in its queue. */
const graceMs = 30_000;
/** Deliveries taken from one shard in one run; the rest are still there at the next. */
const deliveriesPerShard = 500;
/** When a queue refuses this many one after another, it is the queue's fault: the next run tries again. */
const mostRefused = 50;

interface ReleaseDeps {
  deliveries: Pick<DeliveryStore, 'overdue'>;
  senders: Record<ChannelKind, SendMessages>;
}

/** Sending one twice is harmless: only one claim is won. @returns how many were handed on. */
export async function releaseDeliveries(
  { deliveries, senders }: ReleaseDeps,
  shard: number,
  now: number,
): Promise<number> {
  // A run queues what falls due until the next run.
  const until = now + timing.reconcileEveryMs;
  const found = await deliveries.overdue(shard, until, deliveriesPerShard);
  const due = found.filter(({ createdAt }) => now - createdAt >= graceMs);
  let released = 0;
  for (const [kind, ofKind] of Map.groupBy(due, ({ channelKind }) => channelKind)) {
    released += await sendEach(senders[kind], ofKind, now);
  }
  return released;
}

/** All in one call; one by one where that fails for good, so that one delivery keeps none of the others. */
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
  // SQS refuses a delay out of these bounds, and with it the whole batch; an odd time is at once.
  const delaySeconds = Number.isFinite(seconds)
    ? Math.min(Math.max(0, seconds), mostDelaySeconds)
    : 0;
  return { body: { deliveryId }, group: ownerId, delaySeconds };
}
