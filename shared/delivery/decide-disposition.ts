// Decides for each alert and channel: send now, hold (until when, and with which alerts), or not send. All
// that delays or stops an alert is decided here, with its reason.

import type { Alert } from '#shared/alerts/alert.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { dayWindow } from '#shared/moment.ts';
import { forever, silentUntil } from '#shared/watchlist/channel.ts';
import { type HearingTime, hearingTimeOf } from '#shared/watchlist/hearing-time.ts';
import { type HearingTimes, hearingTimesOf, type Owner } from '#shared/watchlist/owner.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { Channel } from './channel.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { CountAlert } from './count-alerts.ts';
import { deliveryIdOf } from './delivery.ts';
import type { Disposition, UnsentReason } from './disposition.ts';
import type { HoldReason } from './message/message-kinds.ts';

interface DecideDispositionDeps {
  findHealth: (channelId: string) => Promise<ChannelHealth | undefined>;
  findOwner: (ownerId: string) => Promise<Owner | undefined>;
  countAlert: CountAlert;
  takePlace: (stretch: {
    name: string;
    startsAt: number;
    endsAt: number;
    ceiling: number;
  }) => Promise<boolean>;
}

export interface AlertForChannel {
  alert: Alert;
  watch: Watch;
  channel: Channel;
  /** Epoch milliseconds. */
  now: number;
}

export type DecideDisposition = (atGate: AlertForChannel) => Promise<Disposition>;

/**
 * Urgent alerts per owner and day (UTC) that ignore quiet hours and digests; further ones wait like others.
 */
const urgentPerDay = 20;

/** How long an alert waits for an address to be confirmed; a later alert would be old news. */
const confirmationWaitMs = 6 * 3_600_000;

/** The decision about one alert and one channel. */
export function createDecideDisposition(deps: DecideDispositionDeps): DecideDisposition {
  return async function decideAtGate(atGate) {
    const { alert, channel, now } = atGate;
    const refusal = whyUnsent(atGate);
    if (refusal) return unsent(atGate, refusal);
    if (channel.status === 'unverified') return holdUntilConfirmed(atGate);
    const { alertId } = alert;
    const { channelId } = channel;
    // Together, so that both reads are one request.
    const [isWithinLimit, times] = await Promise.all([
      deps.countAlert({ alertId, channelId }, now),
      channel.isImmediate ? undefined : timesOf(alert),
    ]);
    if (!isWithinLimit) return unsent(atGate, 'cap');
    const hearing = times && hearingAt(now, times, alert);
    if (hearing && !(await passesAsUrgent(atGate))) return hold(atGate, hearing.reason, hearing.at);
    const { throttledUntil = 0 } = (await deps.findHealth(channel.channelId)) ?? {};
    if (throttledUntil > now) return hold(atGate, 'channel_throttled', throttledUntil);
    return send(atGate);
  };

  async function timesOf({ ownerId }: Alert): Promise<HearingTimes> {
    return hearingTimesOf(await deps.findOwner(ownerId));
  }

  async function passesAsUrgent({ alert, now }: AlertForChannel): Promise<boolean> {
    if (!alert.isUrgent) return false;
    const name = `urgent#${alert.ownerId}`;
    return deps.takePlace({ name, ...dayWindow(now), ceiling: urgentPerDay });
  }
}

/** Unusable settings must not silence their owner, so the alert then goes at once. */
function hearingAt(now: number, times: HearingTimes, { ownerId }: Alert): HearingTime | undefined {
  try {
    return hearingTimeOf(now, times);
  } catch (error) {
    reportFault({ thing: 'owner_setting', reason: reasonOf(error), ids: { ownerId }, error });
    return undefined;
  }
}

function whyUnsent({ alert, watch, channel, now }: AlertForChannel): UnsentReason | undefined {
  if (channel.status === 'disabled') return 'channel_disabled';
  if (channel.status === 'unsubscribed') return 'channel_unsubscribed';
  const until = Math.max(watch.snoozedUntil ?? 0, silentUntil(channel, alert.watchId));
  if (until <= now) return undefined;
  return until >= forever ? 'muted' : 'snoozed';
}

function unsent({ alert, channel, now }: AlertForChannel, reason: UnsentReason): Disposition {
  const { alertId } = alert;
  const { channelId } = channel;
  // Keep the alert as a delivery of its own, so that it can be replayed when the channel is on again.
  const kept = reason === 'channel_disabled' && { deliveryId: deliveryIdOf(alertId, channelId) };
  return { alertId, channelId, kind: 'unsent', reason, decidedAt: now, dueAt: now, ...kept };
}

/** Alerts that are due at the same time share a delivery. */
function hold(
  { alert, channel, now }: AlertForChannel,
  reason: HoldReason,
  dueAt: number,
  group = reason === 'channel_throttled' ? `throttled#${dueAt}` : `${reason}#${dueAt}`,
): Disposition {
  const deliveryId = deliveryIdOf(group, channel.channelId);
  const { alertId } = alert;
  const { channelId } = channel;
  return { alertId, channelId, kind: 'hold', reason, deliveryId, decidedAt: now, dueAt };
}

function holdUntilConfirmed(atGate: AlertForChannel): Disposition {
  const { dueAt, group } = confirmationWait(atGate.now);
  return hold(atGate, 'channel_unverified', dueAt, group);
}

/** The group and due time of alerts that fire at `now` and wait for their address to be confirmed. */
export function confirmationWait(now: number): { dueAt: number; group: string } {
  const dueAt = (Math.floor(now / confirmationWaitMs) + 1) * confirmationWaitMs;
  return { dueAt, group: `unverified#${dueAt}` };
}

/** Alerts of one watch from one snapshot share one message. */
function send({ alert, watch, channel, now }: AlertForChannel): Disposition {
  const { alertId, observedAt } = alert;
  const { channelId } = channel;
  const isAlone = watch.rules.length === 1;
  const group = isAlone ? alertId : `${watch.watchId}#${observedAt}`;
  const deliveryId = deliveryIdOf(group, channelId);
  return { alertId, channelId, kind: 'send', deliveryId, decidedAt: now, dueAt: now };
}
