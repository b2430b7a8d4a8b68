// Composes the message of a delivery for this attempt: which of its alerts it tells, which it leaves out
// because they are no longer news, and the words around them.

import { forever, silentUntil } from '#shared/watchlist/channel.ts';
import { hearingTimesOf, type Owner } from '#shared/watchlist/owner.ts';
import { type Alert, alertBefore } from '../alerts/alert.ts';
import type { BuyLinkTemplate } from '../alerts/ticket-link.ts';
import type { Channel } from './channel.ts';
import { kindOf } from './channels/channels.ts';
import { type Delivery, type LeftOut, mayHaveArrived } from './delivery.ts';
import { createAlertExtras } from './message/alert-extras.ts';
import { momentText } from './message/figures.ts';
import {
  type AlertMessage,
  composeMessage,
  type Message,
  type ReaderContext,
  staleAfterMs,
} from './message/message.ts';
import {
  alertsMessage,
  confirmationMessage,
  type Held,
  noticeMessage,
  testMessage,
} from './message/message-kinds.ts';
import { movementsByAlert } from './message/price-movement.ts';
import type { WhyNoNews } from './still-true.ts';

export interface Told {
  alert: Alert;
  message: AlertMessage;
}

/** A message with its facts for machines. */
export interface Prepared {
  message: Message;
  told: Told[];
  leftOut: LeftOut[];
  heldFor: Delivery['heldFor'] | undefined;
  /** Why the message must not be sent, whatever it tells. */
  stopped?: 'owner_deleted' | undefined;
}

interface PrepareDeps {
  buyLinks: readonly BuyLinkTemplate[];
  findAlert: (alertId: string) => Promise<Alert | undefined>;
  findOwner: (ownerId: string) => Promise<Owner | undefined>;
  whyNoNews: WhyNoNews;
}

export type PrepareMessage = (
  delivery: Delivery,
  channel: Channel,
  now: number,
) => Promise<Prepared>;

/** Prepares messages. An alert message with an empty `told` must not be sent. */
export function createPrepareMessage(deps: PrepareDeps): PrepareMessage {
  return async function prepareMessage(delivery, channel, now) {
    if (delivery.purpose !== 'alert') {
      const owner = await deps.findOwner(delivery.ownerId);
      const message = ownMessage(delivery, channel.stopUrl);
      return { message, told: [], leftOut: [], heldFor: undefined, stopped: stopOf(owner) };
    }
    const [{ all, news, leftOut }, owner] = await Promise.all([
      sortOut(deps, delivery, channel, now),
      deps.findOwner(delivery.ownerId),
    ]);
    const reading = readingOf(deps, { delivery, channel, owner, now });
    const moves = movementsByAlert(all, news);
    const told = news.map((alert) => ({
      alert,
      message: composeMessage(alert, reading, moves.get(alert.alertId)),
    }));
    const held = heldOf(delivery, reading.timeZone);
    const messages = told.map(({ message }) => message);
    const message = alertsMessage(messages, { held, stopUrl: channel.stopUrl || undefined });
    return { message, told, leftOut, heldFor: delivery.heldFor, stopped: stopOf(owner) };
  };
}

/** Nothing more goes to anybody for an owner that is being deleted. */
function stopOf(owner: Owner | undefined): Prepared['stopped'] {
  return owner?.deletion && 'owner_deleted';
}

/** The operator's own channels have no stop page: the deployment's configuration changes them. */
function ownMessage({ purpose, notice, confirmUrl }: Delivery, stop: string): Message {
  const stopUrl = stop === '' ? undefined : stop;
  if (purpose === 'confirmation') return confirmationMessage(confirmUrl ?? '');
  return notice ? noticeMessage(notice, stopUrl) : testMessage(stopUrl);
}

/** Machines get equal bytes on every attempt, so their messages are made as of the due time. */
function readingOf(
  { buyLinks }: PrepareDeps,
  { delivery, channel, owner, now }: Reader,
): ReaderContext {
  const { target, stopUrl } = channel;
  return {
    now: kindOf(target).readBy === 'machines' ? delivery.dueAt : now,
    timeZone: hearingTimesOf(owner).timeZone,
    extrasOf: createAlertExtras(stopUrl, buyLinks),
  };
}

interface Reader {
  delivery: Delivery;
  channel: Channel;
  owner: Owner | undefined;
  now: number;
}

function heldOf({ heldFor, createdAt }: Delivery, timeZone: string): Held | undefined {
  return heldFor && { reason: heldFor, since: momentText(createdAt, timeZone) };
}

/** Sorts the alerts into news and left out; news is in order: urgent first, then newest first. */
async function sortOut(deps: PrepareDeps, delivery: Delivery, channel: Channel, now: number) {
  // Alerts that an earlier attempt left out stay out, so that a retry sends the same message.
  const leftOut: LeftOut[] = [...(delivery.leftOut ?? [])];
  const out = new Set(leftOut.map(({ alertId }) => alertId));
  const ids = [...(delivery.alertIds ?? [])].sort();
  const known = await Promise.all(ids.map(deps.findAlert));
  const all = known.filter((alert) => alert !== undefined);
  for (const [index, alertId] of ids.entries()) {
    if (!known[index] && !out.has(alertId)) leftOut.push({ alertId, reason: 'alert_gone' });
  }
  const news: Alert[] = [];
  const left = all.filter(({ alertId }) => !out.has(alertId));
  const wanted = isJudgedAgain(delivery) ? withoutUntold(left, leftOut) : left;
  for (const alert of withoutRepeats(wanted, leftOut)) {
    const reason = await whyNot(deps, alert, { delivery, channel, now });
    if (reason) leftOut.push({ alertId: alert.alertId, reason });
    else news.push(alert);
  }
  news.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent) || b.firedAt - a.firedAt);
  return { all, news, leftOut };
}

/** Leaves out recoveries whose alerts were held too: their reader does not know what is over. */
function withoutUntold(alerts: readonly Alert[], leftOut: LeftOut[]): Alert[] {
  const held = new Set<string | undefined>(alerts.map(({ alertId }) => alertId));
  const isUntold = (alert: Alert) => held.has(alertBefore(alert));
  const untold = alerts.filter(isUntold);
  leftOut.push(...untold.map(({ alertId }) => ({ alertId, reason: 'superseded' })));
  return alerts.filter((alert) => !isUntold(alert));
}

/**
 * Keeps only the last firing and the last recovery of each trigger. Of these two, only one is still true,
 * because a recovery is true while its level is not reached.
 */
function withoutRepeats(alerts: readonly Alert[], leftOut: LeftOut[]): Alert[] {
  const last = new Map<string, Alert>();
  for (const alert of [...alerts].sort((a, b) => a.firedAt - b.firedAt)) {
    const { triggerId, role } = alert;
    const name = role === 'recovery' ? `${triggerId} back` : triggerId;
    const before = last.get(name);
    if (before) leftOut.push({ alertId: before.alertId, reason: 'superseded' });
    last.set(name, alert);
  }
  return [...last.values()];
}

async function whyNot(
  deps: PrepareDeps,
  alert: Alert,
  { delivery, channel, now }: { delivery: Delivery; channel: Channel; now: number },
): Promise<string | undefined> {
  const until = silentUntil(channel, alert.watchId);
  if (until > now) return until === forever ? 'muted' : 'snoozed';
  // A person asked for this replay, so old news is sent too.
  if (delivery.replayedAt !== undefined) return undefined;
  const isStale = !wasHeldBack(delivery) && now - alert.observedAt > staleAfterMs;
  if (isStale && channel.staleAlerts === 'drop') return 'too_old';
  return isJudgedAgain(delivery) ? deps.whyNoNews(alert, now) : undefined;
}

/**
 * Whether the message tells only what is still true: one that was held. If an earlier attempt may have
 * arrived, a retry must not change its content.
 */
function isJudgedAgain(delivery: Delivery): boolean {
  return wasHeldBack(delivery) && !mayHaveArrived(delivery) && delivery.replayedAt === undefined;
}

function wasHeldBack({ heldFor }: Delivery): boolean {
  return heldFor !== undefined && heldFor !== 'channel_throttled';
}
