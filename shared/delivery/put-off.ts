// Puts a claimed delivery off until its channel may be called. Alerts that wait for a throttled or busy
// channel go on together in one delivery, so that a queue becomes one message.
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import type { AttemptResult } from './attempt-result.ts';
import {
  type AttemptEntry,
  type Delivery,
  deliveryIdOf,
  mayHaveArrived,
  newDelivery,
} from './delivery.ts';
import { longestWayMs } from './retry-schedule.ts';
import type { SendLater } from './send-later.ts';

export interface Wait {
  /** Epoch milliseconds. */
  until: number;
  reason: 'breaker_open' | 'receiver_busy' | 'throttled';
  now: number;
  /** The attempt that met the throttle, if one was made. */
  entry?: AttemptEntry;
  fellBackTo?: readonly string[];
}

export type PutOff = (delivery: Delivery, wait: Wait) => Promise<AttemptResult>;

interface PutOffDeps {
  deliveries: Pick<DeliveryStore, 'finish' | 'join' | 'noteMove' | 'postpone'>;
  sendLater: SendLater;
  random: () => number;
}

/** Deliveries that wait for a receiver to come back don't all call it in the same second. */
const breakerSpreadMs = 20_000;
const busySpreadMs = { least: 2_000, most: 60_000 };

/** What waits for a busy receiver asks the more rarely the longer it has waited. */
function spreadOf({ dueAt }: Delivery, { reason, now }: Wait): number {
  if (reason === 'throttled') return 0;
  if (reason === 'breaker_open') return breakerSpreadMs;
  return Math.min(Math.max((now - dueAt) / 8, busySpreadMs.least), busySpreadMs.most);
}

/** The attempt that is put off does not count; what was put off for three days is given up. */
export function createPutOff({ deliveries, sendLater, random }: PutOffDeps): PutOff {
  return async function putOff(delivery, wait) {
    const { now, reason, entry, fellBackTo } = wait;
    if (now - delivery.dueAt > longestWayMs) {
      const record = { lastReason: `given_up:${reason}`, entry, fellBackTo };
      await deliveries.finish(delivery, 'failed', record);
      return { outcome: 'failed', reason: `given_up:${reason}`, delivery };
    }
    if (delivery.mergedInto !== undefined || mayMerge(delivery, wait)) {
      const moved = await move(delivery, wait);
      if (moved) return moved;
    }
    const until = wait.until + Math.round(random() * spreadOf(delivery, wait));
    await deliveries.postpone(delivery, { lastReason: reason, entry, fellBackTo }, until);
    await sendLater(delivery, until, now);
    return { outcome: 'put_off', reason, delivery };
  };

  /**
   * First where to, on the delivery itself; then the alerts; then the end. A crash after any of these
   * finds the name of the target and does the rest again, which changes nothing twice.
   */
  async function move(
    delivery: Delivery,
    { until, now, entry, fellBackTo }: Wait,
  ): Promise<AttemptResult | undefined> {
    const { channelId } = delivery;
    const target = delivery.mergedInto ?? deliveryIdOf(`throttled#${until}`, channelId);
    if (delivery.mergedInto === undefined && !(await deliveries.noteMove(delivery, target))) {
      return { outcome: 'not_claimed' };
    }
    const into = newDelivery(
      {
        ...sameChannel(delivery),
        deliveryId: target,
        purpose: 'alert',
        heldFor: 'channel_throttled',
      },
      { now: delivery.createdAt, dueAt: until },
    );
    // A target that has begun without these alerts leaves them to go by themselves.
    if (!(await deliveries.join(into, delivery.alertIds ?? new Set()))) return undefined;
    await sendLater(into, until, now);
    const record = { lastReason: 'channel_throttled', entry, fellBackTo };
    await deliveries.finish(delivery, 'merged', record);
    return { outcome: 'put_off', reason: 'merged', delivery };
  }
}

function sameChannel({ ownerId, channelId, channelKind, isUrgent }: Delivery) {
  return { ownerId, channelId, channelKind, isUrgent };
}

/** Only what nobody can have got may change its id, and what has merged already keeps its place. */
function mayMerge(delivery: Delivery, { reason }: Wait): boolean {
  const { purpose, channelKind, heldFor, fallbackFor } = delivery;
  if (reason === 'breaker_open' || purpose !== 'alert' || channelKind === 'email') return false;
  return heldFor === undefined && fallbackFor === undefined && !mayHaveArrived(delivery);
}
