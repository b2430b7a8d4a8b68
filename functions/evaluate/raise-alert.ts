// Raises the alert of one firing or recovery and sends it to every channel of its watch. Every id is derived
// from the trigger and its generation, and every decision is made once, so a repeat changes nothing.
import type { Alert } from '#shared/alerts/alert.ts';
import { freezeAlert, type News } from '#shared/alerts/freeze-alert.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import type { AlertForChannel, DecideDisposition } from '#shared/delivery/decide-disposition.ts';
import { type Delivery, deliveryIdOf, newDelivery } from '#shared/delivery/delivery.ts';
import { type Disposition, noChannel } from '#shared/delivery/disposition.ts';
import type { FallBack } from '#shared/delivery/fallback.ts';
import { type HoldReason, holdReasons } from '#shared/delivery/message/message-kinds.ts';
import type { SendLater } from '#shared/delivery/send-later.ts';
import type { AlertStore } from '#shared/dynamo/alerts.ts';
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import type { DispositionStore } from '#shared/dynamo/dispositions.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { Look } from '#shared/polling/look.ts';
import { promisedTime } from '#shared/polling/promised-time.ts';
import { timing } from '#shared/timing.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { ReadChart } from './run-charts.ts';

/** `not_wanted`: the watch is paused, gone, or not stored yet; the trigger must not change state for it. */
export type RaiseOutcome = 'raised' | 'raised_before' | 'not_wanted';
/** News, and the poll that brought its snapshot; absent if that was matched before. */
export interface SeenNews extends News {
  look?: Look | undefined;
}
/** `readChart` reads the chart of an alert of this run. */
export type RaiseAlert = (news: SeenNews, readChart: ReadChart) => Promise<RaiseOutcome>;

interface RaiseAlertDeps {
  findWatch: (watchId: string) => Promise<Watch | undefined>;
  findChannel: (channelId: string) => Promise<Channel | undefined>;
  findEventFacts: (eventId: number) => Promise<EventFacts | undefined>;
  alerts: Pick<AlertStore, 'create'>;
  dispositions: Pick<DispositionStore, 'decideOnce'>;
  deliveries: Pick<DeliveryStore, 'create' | 'join'>;
  removeTrigger: (triggerId: string) => Promise<void>;
  decideAtGate: DecideDisposition;
  fallBack: FallBack;
  sendLater: SendLater;
  onRaised: (alert: Alert) => void;
}

/** A watch with several rules waits this long, so that rules that fire together share one message. */
const groupWaitMs = 1_000;

/** The use case that handles one firing or recovery: evaluate, suppress, group, deduplicate, send; each step records its result. */
export function createRaiseAlert(deps: RaiseAlertDeps): RaiseAlert {
  return async function raiseAlert(news, readChart) {
    const { trigger, firing, now } = news;
    const watch = await deps.findWatch(trigger.watchId);
    if (!watch) {
      // A watch is written after its triggers, so it may not exist yet.
      const isOrphan = now - trigger.createdAt > timing.orphanAfterMs;
      if (isOrphan) await deps.removeTrigger(trigger.triggerId);
      return 'not_wanted';
    }
    const wanted = watch.rules.find(({ ruleId }) => ruleId === trigger.ruleId);
    if (watch.status !== 'active' || !wanted) return 'not_wanted';

    const facts = await deps.findEventFacts(trigger.eventId);
    const { series } = trigger;
    const chart = await readChart({ series, firing, timeZone: facts?.timeZone });
    const promisedFrom = promisedFromOf(news, watch);
    const alert = freezeAlert(news, { watch, rule: wanted.rule, facts, chart, promisedFrom });
    const isNew = await deps.alerts.create(alert);
    const channels = await channelsOf(deps, alert);
    if (channels.length === 0) await recordNoChannel(deps, alert, now);
    const failed: unknown[] = [];
    for (const channel of channels) {
      await tellChannel(deps, { alert, watch, channel, now }, isNew).catch((error: unknown) =>
        failed.push(error),
      );
    }
    if (isNew) deps.onRaised(alert);
    // The other channels have their deliveries; the trigger keeps its state until this channel succeeds too.
    if (failed.length > 0) throw failed.find(isTransient) ?? failed[0];
    return isNew ? 'raised' : 'raised_before';
  };
}

/** A rule that was true already when it was made tells no news of the market, so nothing is promised for it. */
function promisedFromOf({ firing, alreadyTrue, look }: SeenNews, { latencySeconds }: Watch) {
  const { observedAt } = firing;
  return alreadyTrue ? undefined : promisedTime({ observedAt, look, latencySeconds });
}

async function tellChannel(
  deps: RaiseAlertDeps,
  atGate: AlertForChannel,
  isNew: boolean,
): Promise<void> {
  const { alert, channel } = atGate;
  const disposition = await suppress(deps, atGate, isNew);
  const delivery = groupInto(disposition, atGate);
  if (disposition.kind === 'unsent') await keepUnsent(deps, delivery, { disposition, channel });
  else await sendOn(deps, await deduplicate(deps, delivery, alert), disposition);
}

/** A channel that can't be read counts as removed, so that the watch's other channels still get the alert. */
async function channelsOf(deps: RaiseAlertDeps, alert: Alert): Promise<Channel[]> {
  const found = await Promise.all(
    alert.channelIds.map((channelId) =>
      deps.findChannel(channelId).catch((error: unknown) => {
        if (isTransient(error)) throw error;
        const { alertId } = alert;
        const ids = { channelId, alertId };
        reportFault({ thing: 'channel', reason: reasonOf(error), ids, error });
        return undefined;
      }),
    ),
  );
  return found.flatMap((channel) => (channel?.ownerId === alert.ownerId ? [channel] : []));
}

async function recordNoChannel(deps: RaiseAlertDeps, { alertId }: Alert, now: number) {
  const place = { alertId, channelId: noChannel };
  await deps.dispositions.decideOnce(place, async () => ({
    ...place,
    kind: 'unsent',
    reason: 'no_channel',
    decidedAt: now,
    dueAt: now,
  }));
}

function suppress(
  deps: RaiseAlertDeps,
  atGate: AlertForChannel,
  isNew: boolean,
): Promise<Disposition> {
  const { alertId } = atGate.alert;
  const { channelId } = atGate.channel;
  return deps.dispositions.decideOnce({ alertId, channelId, isNew }, () =>
    deps.decideAtGate(atGate),
  );
}

function groupInto(
  { deliveryId, kind, reason, decidedAt, dueAt }: Disposition,
  { alert, watch, channel }: { alert: Alert; watch: Watch; channel: Channel },
): Delivery {
  const heldFor = holdReasons.find((hold): hold is HoldReason => hold === reason);
  const waitsForGroup = kind === 'send' && watch.rules.length > 1;
  return newDelivery(
    {
      deliveryId: deliveryId ?? deliveryIdOf(alert.alertId, channel.channelId),
      purpose: 'alert',
      ownerId: alert.ownerId,
      channelId: channel.channelId,
      channelKind: channel.target.kind,
      isUrgent: alert.isUrgent,
      ...(heldFor && { heldFor }),
    },
    { now: decidedAt, dueAt: waitsForGroup ? dueAt + groupWaitMs : dueAt },
  );
}

/** @returns the delivery that contains the alert: the group's, or a new one if the group's has already begun. */
async function deduplicate(
  deps: RaiseAlertDeps,
  group: Delivery,
  { alertId }: Alert,
): Promise<Delivery> {
  if (await deps.deliveries.join(group, new Set([alertId]))) return group;
  const own = { ...group, deliveryId: deliveryIdOf(alertId, group.channelId) };
  await deps.deliveries.join(own, new Set([alertId]));
  return own;
}

async function sendOn(
  deps: RaiseAlertDeps,
  delivery: Delivery,
  { decidedAt }: Disposition,
): Promise<void> {
  await deps.sendLater(delivery, delivery.dueAt, decidedAt);
}

/** A disabled channel's alerts are kept for replay, and meanwhile go to its fallback. */
async function keepUnsent(
  deps: RaiseAlertDeps,
  delivery: Delivery,
  { disposition, channel }: { disposition: Disposition; channel: Channel },
): Promise<void> {
  const { alertId, reason, decidedAt } = disposition;
  if (reason !== 'channel_disabled') return;
  const kept: Delivery = { ...delivery, alertIds: new Set([alertId]), status: 'skipped' };
  const fellBackTo = await deps.fallBack(kept, channel, decidedAt);
  const { nextAttemptAt: _never, ...rest } = kept;
  await deps.deliveries.create({
    ...rest,
    lastReason: reason,
    ...(fellBackTo.length > 0 && { fellBackTo: new Set(fellBackTo) }),
  });
}
