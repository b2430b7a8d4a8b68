// The alerts of the furnished desk: each with its trigger as it is after it, and with what became of its message.
import { type Alert, alertIdOf } from '#shared/alerts/alert.ts';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { anAlert } from '#test/support/alerts.ts';
import type { Api } from '#test/support/api.ts';
import type { ShownAlert, ShownEvent } from './shown-events.ts';

const hourMs = 3_600_000;

interface MadeWatch {
  id: string;
  rules: { id: string; sentence: string }[];
}

/** Stores the alerts of an event, oldest first, so that the newest is the trigger's last one. */
export async function raiseAlerts(
  api: Api,
  shown: ShownEvent,
  { eventId, watch }: { eventId: number; watch: MadeWatch },
): Promise<void> {
  const { stores, clock } = api;
  const found = await stores.watches.find(watch.id);
  const [triggerId = ''] = found?.rules[0]?.triggerIds ?? [];
  const alerts = [...(shown.alerts ?? [])].reverse();
  await stores.triggers.edit(triggerId, (trigger) => ({
    ...trigger,
    state: shown.hasFired ? 'fired' : 'armed',
    generation: alerts.length + (shown.hasFired ? 0 : 1),
    movedThrough: clock.now,
    memory: { ...trigger.memory, firings: alerts.map((alert) => firedAtOf(alert, clock.now)) },
  }));
  for (const [index, alert] of alerts.entries()) {
    const { series } = (await stores.triggers.find(triggerId)) ?? { series: '' };
    const about = { triggerId, series, alertId: alertIdOf(triggerId, index + 1), eventId };
    await raise(api, { shown, alert, watch, about });
  }
}

const firedAtOf = ({ hoursAgo }: ShownAlert, now: number) => Math.round(now - hoursAgo * hourMs);

async function raise(
  { stores, clock, ann }: Api,
  of: {
    shown: ShownEvent;
    alert: ShownAlert;
    watch: MadeWatch;
    about: Pick<Alert, 'triggerId' | 'series' | 'alertId' | 'eventId'>;
  },
): Promise<void> {
  const { shown, alert, watch, about } = of;
  const { ownerId, channelId } = ann;
  const firedAt = firedAtOf(alert, clock.now);
  const cents = Math.round(alert.price * 100);
  const level = Math.round(Number(shown.rule.at_or_below) * 100);
  await stores.alerts.create(
    anAlert({
      ...about,
      ...{ ownerId, watchId: watch.id, ruleId: watch.rules[0]?.id ?? '' },
      ...{ eventName: shown.name, eventDate: shown.date, eventTime: shown.time },
      ...{ venueName: shown.venue, venueCity: shown.city, channelIds: [channelId] },
      ...{ sentence: watch.rules[0]?.sentence ?? '', level, askedLevel: level },
      ...{
        value: cents,
        base: cents,
        withFee: cents,
        previousBase: Math.round(level / 25 + 3) * 25,
      },
      ...{ firedAt, observedAt: firedAt - 21_000, earlierAt: firedAt - 2 * hourMs },
      ...(alert.outcome === 'cool_down' && { unsentReason: 'cool_down' as const }),
    }),
  );
  if (alert.outcome === 'cool_down') return;
  const heldFor = alert.outcome === 'held' ? ('quiet_hours' as const) : undefined;
  const dueAt = heldFor ? firedAt + 4 * hourMs : firedAt;
  const deliveryId = `dlv_${about.alertId.slice(4)}`;
  const decision = heldFor
    ? ({ kind: 'hold', reason: heldFor } as const)
    : { kind: 'send' as const };
  const made = { alertId: about.alertId, channelId, deliveryId, decidedAt: firedAt, dueAt };
  await stores.dispositions.decideOnce({ alertId: about.alertId, channelId }, async () => ({
    ...made,
    ...decision,
  }));
  const sentAt = dueAt + 2_000;
  await stores.deliveries.create({
    ...newDelivery(
      {
        ...{ deliveryId, ownerId, channelId, channelKind: 'email', purpose: 'alert' },
        alertIds: new Set([about.alertId]),
        ...(heldFor && { heldFor }),
      },
      { now: firedAt, dueAt },
    ),
    ...{ status: 'sent', attempts: 1, sentAt, nextAttemptAt: undefined },
  });
}
