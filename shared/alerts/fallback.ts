// Sends what a channel could not take by its fallback channel instead.
import type { SendMessages } from '#shared/runtime/queue-sender.ts';
import type { DeliveryStore } from '#shared/store/deliveries.ts';
import type { Channel, ChannelKind } from '#shared/watchlist/channel.ts';
import { type Delivery, deliveryIdOf, newDelivery } from './delivery.ts';

interface FallBackDeps {
  findChannel: (channelId: string) => Promise<Channel | undefined>;
  deliveries: Pick<DeliveryStore, 'create'>;
  senders: Record<ChannelKind, SendMessages>;
}

/** @returns whether the alerts now go by the fallback channel. */
export type FallBack = (delivery: Delivery, channel: Channel, now: number) => Promise<boolean>;

/**
 * One step only: a fallback does not fall back again, so that two channels never play ball. Its
 * delivery is named by the first one, so that doing it again does nothing.
 */
export function createFallBack({ findChannel, deliveries, senders }: FallBackDeps): FallBack {
  return async function fallBack(delivery, { ownerId, fallbackChannelId }, now) {
    const { purpose, fallbackFor, deliveryId, alertIds, isUrgent } = delivery;
    if (purpose !== 'alert' || fallbackFor !== undefined || fallbackChannelId === undefined) {
      return false;
    }
    const fallback = await findChannel(fallbackChannelId);
    if (fallback?.status !== 'active' || fallback.ownerId !== ownerId) return false;
    const { channelId, target } = fallback;
    const instead = newDelivery(
      {
        deliveryId: deliveryIdOf(deliveryId, channelId),
        purpose: 'alert',
        fallbackFor: deliveryId,
        ...(alertIds && { alertIds }),
        ...{ ownerId, channelId, channelKind: target.kind, isUrgent },
      },
      { now },
    );
    await deliveries.create(instead);
    await senders[target.kind]([{ body: { deliveryId: instead.deliveryId } }]);
    return true;
  };
}

/** An urgent alert that could not be sent for this long goes by the fallback channel as well. */
const urgentWaitMs = 15 * 60_000;

/** Whether an urgent alert has waited long enough for its channel. */
export function isFallbackDue({ isUrgent, dueAt }: Delivery, now: number): boolean {
  return isUrgent && now - dueAt >= urgentWaitMs;
}

/** When a delivery is tried again: no urgent one sleeps through the moment its fallback is due. */
export function nextTryAt({ isUrgent, dueAt }: Delivery, now: number, afterMs: number): number {
  const fallbackAt = dueAt + urgentWaitMs;
  const isAhead = isUrgent && now < fallbackAt;
  return isAhead ? Math.min(now + afterMs, fallbackAt) : now + afterMs;
}
