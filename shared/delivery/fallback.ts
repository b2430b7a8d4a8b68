// Sends alerts that a channel could not take to a fallback channel: the watch's, or else the channel's.

import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { Alert } from '../alerts/alert.ts';
import type { Channel } from './channel.ts';
import type { ChannelKind } from './channels/channels.ts';
import { type Delivery, deliveryIdOf, newDelivery } from './delivery.ts';

interface FallBackDeps {
  findChannel: (channelId: string) => Promise<Channel | undefined>;
  findAlert: (alertId: string) => Promise<Alert | undefined>;
  findWatch: (watchId: string) => Promise<Watch | undefined>;
  deliveries: Pick<DeliveryStore, 'create'>;
  senders: Record<ChannelKind, SendMessages>;
}

/** @returns the ids of the fallback deliveries; empty if there is no fallback. */
export type FallBack = (delivery: Delivery, channel: Channel, now: number) => Promise<string[]>;

/**
 * A fallback delivery has no fallback of its own, so two channels never send to each other in a loop. Its
 * id is derived from the first delivery's id, so a second run creates nothing.
 */
export function createFallBack(deps: FallBackDeps): FallBack {
  return async function fallBack(delivery, channel, now) {
    if (delivery.purpose !== 'alert' || delivery.fallbackFor !== undefined) return [];
    const ids: string[] = [];
    for (const { fallback, alertIds } of await findWays(deps, delivery, channel)) {
      ids.push(await sendBy(deps, { delivery, fallback, alertIds, now }));
    }
    return ids;
  };
}

/** The alerts that go to one fallback channel. */
interface Way {
  fallback: Channel;
  alertIds: Set<string>;
}

/** A delivery may hold alerts of several watches, each with a fallback of its own. */
async function findWays(deps: FallBackDeps, delivery: Delivery, channel: Channel): Promise<Way[]> {
  const out = new Set(delivery.leftOut?.map(({ alertId }) => alertId));
  const ways = new Map<string, Way>();
  for (const alertId of [...(delivery.alertIds ?? [])].sort()) {
    const alert = out.has(alertId) ? undefined : await deps.findAlert(alertId);
    const fallback = alert && (await fallbackOf(deps, alert, channel));
    if (!fallback) continue;
    const way = ways.get(fallback.channelId) ?? { fallback, alertIds: new Set() };
    ways.set(fallback.channelId, way);
    way.alertIds.add(alertId);
  }
  return [...ways.values()];
}

/** The first active fallback; never the channel itself, nor a channel that gets the alert anyway. */
async function fallbackOf(
  deps: FallBackDeps,
  { watchId, channelIds }: Alert,
  channel: Channel,
): Promise<Channel | undefined> {
  const watch = await deps.findWatch(watchId);
  const wanted = [watch?.fallbackChannelId, channel.fallbackChannelId];
  for (const channelId of wanted) {
    if (channelId === undefined || channelId === channel.channelId) continue;
    if (channelIds.includes(channelId)) continue;
    const fallback = await deps.findChannel(channelId);
    if (fallback?.status === 'active' && fallback.ownerId === channel.ownerId) return fallback;
  }
  return undefined;
}

async function sendBy(
  { deliveries, senders }: FallBackDeps,
  { delivery, fallback, alertIds, now }: Way & { delivery: Delivery; now: number },
): Promise<string> {
  const { ownerId, channelId, target } = fallback;
  const { isUrgent } = delivery;
  const instead = newDelivery(
    {
      deliveryId: deliveryIdOf(delivery.deliveryId, channelId),
      purpose: 'alert',
      fallbackFor: delivery.deliveryId,
      ...{ alertIds, ownerId, channelId, channelKind: target.kind, isUrgent },
    },
    { now },
  );
  await deliveries.create(instead);
  await senders[target.kind]([{ body: { deliveryId: instead.deliveryId }, group: ownerId }]);
  return instead.deliveryId;
}

/** An urgent alert that could not be sent for this long goes to the fallback channel as well. */
const urgentWaitMs = 15 * 60_000;

/** Whether an urgent alert has waited long enough for its channel. */
export function isFallbackDue({ isUrgent, dueAt }: Delivery, now: number): boolean {
  return isUrgent && now - dueAt >= urgentWaitMs;
}

/** The time of the next attempt. For an urgent delivery it is never later than the time of its fallback. */
export function nextTryAt({ isUrgent, dueAt }: Delivery, now: number, afterMs: number): number {
  const fallbackAt = dueAt + urgentWaitMs;
  const isAhead = isUrgent && now < fallbackAt;
  return isAhead ? Math.min(now + afterMs, fallbackAt) : now + afterMs;
}
