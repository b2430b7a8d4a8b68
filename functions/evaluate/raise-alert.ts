// Raises the alert of one firing: writes it, writes a delivery per channel, hands each to its sender.
// Every id follows from the trigger and its generation, so doing it again does nothing new.
import { type Alert, alertIdOf } from '#shared/alerts/alert.ts';
import { type Delivery, deliveryIdOf } from '#shared/alerts/delivery.ts';
import type { Firing } from '#shared/rules/move.ts';
import { ruleSentence } from '#shared/rules/sentence.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { SendMessages } from '#shared/runtime/queue-sender.ts';
import type { AlertStore } from '#shared/store/alerts.ts';
import type { DeliveryStore } from '#shared/store/deliveries.ts';
import type { Channel, ChannelKind } from '#shared/watchlist/channel.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

/** What there is to tell. `now` is epoch milliseconds; the other numbers are in the series' units. */
export interface News {
  trigger: Trigger;
  firing: Firing;
  alreadyTrue: boolean;
  previousBase: number | null;
  now: number;
}

/** `not_wanted`: the watch is paused, gone, or not there yet; the trigger must not move for it. */
export type RaiseOutcome = 'raised' | 'raised_before' | 'not_wanted';
export type RaiseAlert = (news: News) => Promise<RaiseOutcome>;

interface RaiseAlertDeps {
  findWatch: (watchId: string) => Promise<Watch | undefined>;
  findChannel: (channelId: string) => Promise<Channel | undefined>;
  findEventFacts: (eventId: number) => Promise<EventFacts | undefined>;
  alerts: Pick<AlertStore, 'create'>;
  deliveries: Pick<DeliveryStore, 'create'>;
  removeTrigger: (triggerId: string) => Promise<void>;
  senders: Record<ChannelKind, SendMessages>;
  onRaised: (alert: Alert) => void;
}

/** A watch is written after its triggers; one that is still missing after this long never came. */
const watchMissingForMs = 15 * 60_000;

/** The use case of one firing. */
export function createRaiseAlert(deps: RaiseAlertDeps): RaiseAlert {
  return async function raiseAlert(news) {
    const { trigger, now } = news;
    const watch = await deps.findWatch(trigger.watchId);
    if (!watch) {
      const isOrphan = now - trigger.createdAt > watchMissingForMs;
      if (isOrphan) await deps.removeTrigger(trigger.triggerId);
      return 'not_wanted';
    }
    const wanted = watch.rules.find(({ ruleId }) => ruleId === trigger.ruleId);
    if (watch.status !== 'active' || !wanted) return 'not_wanted';

    const facts = await deps.findEventFacts(trigger.eventId);
    const alert = freezeAlert(news, watch, {
      eventName: facts?.name ?? `Event ${trigger.eventId}`,
      sentence: ruleSentence(wanted.rule),
    });
    const isNew = await deps.alerts.create(alert);
    await deliver(deps, alert);
    if (isNew) deps.onRaised(alert);
    return isNew ? 'raised' : 'raised_before';
  };
}

function freezeAlert(
  { trigger, firing, alreadyTrue, previousBase, now }: News,
  watch: Watch,
  words: { eventName: string; sentence: string },
): Alert {
  const { ownerId, watchId, ruleId, eventId, series, direction } = trigger;
  const { triggerId, generation, role, value, level, base, baseline } = firing;
  const { isFromNone, withFee, listings, observedAt } = firing;
  return {
    alertId: alertIdOf(triggerId, generation),
    ...{ ownerId, watchId, ruleId, triggerId, eventId, series, direction },
    ...{ role, value, level, base, baseline, isFromNone, withFee, observedAt },
    ...words,
    listings: [...listings],
    previousBase,
    alreadyTrue,
    channelIds: watch.channelIds,
    firedAt: now,
  };
}

async function deliver(deps: RaiseAlertDeps, alert: Alert): Promise<void> {
  for (const channelId of alert.channelIds) {
    const channel = await deps.findChannel(channelId);
    if (channel?.ownerId !== alert.ownerId) continue;
    const delivery: Delivery = {
      deliveryId: deliveryIdOf(alert.alertId, channelId),
      alertId: alert.alertId,
      ownerId: alert.ownerId,
      channelId,
      channelKind: channel.target.kind,
      status: 'pending',
      attempts: 0,
      createdAt: alert.firedAt,
      nextAttemptAt: alert.firedAt,
    };
    await deps.deliveries.create(delivery);
    await deps.senders[delivery.channelKind]([{ body: { deliveryId: delivery.deliveryId } }]);
  }
}
