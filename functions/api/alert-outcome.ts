// The outcome of an alert over all its channels: sent, queued, failed, or not sent, with the reason.
import type { Alert } from '#shared/alerts/alert.ts';
import { type Delivery, deliveryIdOf } from '#shared/delivery/delivery.ts';
import type { Disposition } from '#shared/delivery/disposition.ts';
import { perhapsSentReason } from '#shared/delivery/restored-delivery.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { unlessDamaged } from './watches/unless-damaged.ts';

export const alertStates = ['sent', 'waiting', 'failed', 'unsent'] as const;
export type AlertState = (typeof alertStates)[number];

export interface AlertOutcome {
  state: AlertState;
  /** Why it waits, failed or was not sent; null for an alert that was sent, unless that is not sure. */
  reason: string | null;
  /** When the first message with it was sent, epoch milliseconds; null while none was. */
  sentAt: number | null;
  /** Until when it is held, epoch milliseconds; null if it is not. */
  heldUntil: number | null;
  /** The decision made for each channel when the alert fired. */
  decisions: Disposition[];
}

/** The reason of an alert one of whose deliveries can't be read. */
const damagedDelivery = 'damaged_delivery';

type OutcomeStores = Pick<Stores, 'deliveries' | 'dispositions'>;

/** Reads the outcome of an alert. One successful channel is enough for "sent". */
export async function readOutcome(stores: OutcomeStores, alert: Alert): Promise<AlertOutcome> {
  const { unsentReason } = alert;
  const none = { sentAt: null, heldUntil: null };
  if (unsentReason) return { state: 'unsent', reason: unsentReason, ...none, decisions: [] };
  const decisions = await stores.dispositions.ofAlert(alert.alertId);
  const { found, isWhole } = await follow(stores, alert.alertId, decisions);
  const outcome = judge(alert.alertId, decisions, found);
  // A damaged delivery may have been sent.
  const isUnknown = !isWhole && outcome.state !== 'sent';
  const heldUntil = outcome.state === 'waiting' ? earliest(decisions.filter(isHeld)) : null;
  return { ...outcome, ...(isUnknown && { reason: damagedDelivery }), heldUntil, decisions };
}

function isHeld({ kind }: Disposition): boolean {
  return kind === 'hold';
}

function earliest(held: readonly Disposition[]): number | null {
  return held.length === 0 ? null : Math.min(...held.map(({ dueAt }) => dueAt));
}

/** Every delivery that contains the alert. */
export async function deliveriesOf(stores: OutcomeStores, alertId: string): Promise<Delivery[]> {
  return (await follow(stores, alertId, await stores.dispositions.ofAlert(alertId))).found;
}

/** The alert's decisions name its deliveries; a delivery may have been merged into another or sent by a fallback. */
async function follow(
  { deliveries }: OutcomeStores,
  alertId: string,
  decisions: readonly Disposition[],
): Promise<{ found: Delivery[]; isWhole: boolean }> {
  let isWhole = true;
  const found = new Map<string, Delivery>();
  const open = decisions.flatMap(({ deliveryId, channelId }) =>
    deliveryId === undefined ? [] : [deliveryId, deliveryIdOf(alertId, channelId)],
  );
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    const reading = found.has(id) ? undefined : deliveries.find(id);
    const delivery = await unlessDamaged(Promise.resolve(reading), () => {
      isWhole = false;
    });
    if (!delivery?.alertIds?.has(alertId)) continue;
    found.set(id, delivery);
    const { mergedInto, fellBackTo = [] } = delivery;
    open.push(...(mergedInto === undefined ? [] : [mergedInto]), ...fellBackTo);
  }
  return { found: [...found.values()], isWhole };
}

function judge(
  alertId: string,
  decisions: readonly Disposition[],
  deliveries: readonly Delivery[],
): Pick<AlertOutcome, 'state' | 'reason' | 'sentAt'> {
  const leftOut = deliveries.flatMap((delivery) => whyLeftOut(delivery, alertId) ?? []);
  const telling = deliveries.filter((delivery) => whyLeftOut(delivery, alertId) === undefined);
  const allIn = (...statuses: Delivery['status'][]) =>
    telling.filter(({ status }) => statuses.includes(status));
  const inState = (...statuses: Delivery['status'][]) => allIn(...statuses)[0];
  const sent = allIn('sent', 'unconfirmed');
  if (sent.length > 0) {
    const times = sent.flatMap(({ sentAt }) => sentAt ?? []);
    const sentAt = times.length === 0 ? null : Math.min(...times);
    const isSure = sent.some(({ lastReason }) => lastReason !== perhapsSentReason);
    return { state: 'sent', reason: isSure ? null : perhapsSentReason, sentAt };
  }
  const waiting = inState('pending', 'sending');
  if (waiting) {
    const reason = waiting.heldFor ?? waiting.lastReason ?? null;
    return { state: 'waiting', reason, sentAt: null };
  }
  const failed = inState('failed');
  if (failed) return { state: 'failed', reason: failed.lastReason ?? null, sentAt: null };
  const unsent = decisions.find(({ kind }) => kind === 'unsent')?.reason;
  const reason = leftOut[0] ?? inState('suppressed', 'skipped')?.lastReason ?? unsent;
  // For a moment after an alert is stored, its decisions are not stored yet.
  return reason === undefined
    ? { state: 'waiting', reason: null, sentAt: null }
    : { state: 'unsent', reason, sentAt: null };
}

function whyLeftOut({ leftOut = [] }: Delivery, alertId: string): string | undefined {
  return leftOut.find((each) => each.alertId === alertId)?.reason;
}
