// Hands the unfinished deliveries of one shard to their queues: those whose message was lost or whose
// sender died, and those whose long wait ends before the next run.
import type { SendMessages } from '#shared/runtime/queue-sender.ts';
import type { DeliveryStore } from '#shared/store/deliveries.ts';
import type { ChannelKind } from '#shared/watchlist/channel.ts';

/** The message of a delivery that is younger is most likely in its queue. */
const graceMs = 30_000;
/** A run sees to what falls due until the next one, five minutes later. */
const aheadMs = 5 * 60_000;
/** Deliveries taken from one shard in one run; the rest are still there at the next. */
const deliveriesPerShard = 500;

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
  const found = await deliveries.overdue(shard, now + aheadMs, deliveriesPerShard);
  const released = found.filter(({ createdAt }) => now - createdAt >= graceMs);
  for (const [kind, ofKind] of Map.groupBy(released, ({ channelKind }) => channelKind)) {
    const messages = ofKind.map(({ deliveryId, ownerId, nextAttemptAt = now }) => ({
      body: { deliveryId },
      group: ownerId,
      delaySeconds: Math.max(0, Math.ceil((nextAttemptAt - now) / 1_000)),
    }));
    await senders[kind](messages);
  }
  return released.length;
}
