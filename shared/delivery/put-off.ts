// Postpones a claimed delivery until its channel may be called. Alerts that wait for a throttled or busy
// channel are merged into one delivery, so that a backlog becomes one message.
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
  /** The throttled attempt, if one was made. */
  entry?: AttemptEntry;
  fellBackTo?: readonly string[];
}

export type PutOff = (delivery: Delivery, wait: Wait) => Promise<AttemptResult>;

interface PutOffDeps {
  deliveries: Pick<DeliveryStore, 'finish' | 'join' | 'noteMove' | 'postpone'>;
  sendLater: SendLater;
  random: () => number;
}

/** Spreads the retries after a breaker closes, so that they don't all come in one second. */
const breakerSpreadMs = 20_000;
const busySpreadMs = { least: 2_000, most: 60_000 };

/** The random spread of the retry. For a busy receiver it grows with the time already waited. */
function spreadOf({ dueAt }: Delivery, { reason, now }: Wait): number {
  if (reason === 'throttled') return 0;
  if (reason === 'breaker_open') return breakerSpreadMs;
  return Math.min(Math.max((now - dueAt) / 8, busySpreadMs.least), busySpreadMs.most);
}

/** Postponing does not count as an attempt; a delivery that is due for over 76 hours fails. */
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
   * Merges in three steps: note the target here, add the alerts to the target, finish this delivery.
   * After a crash the noted target is found and the steps run again; each is idempotent.
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
    // The target is already being sent, so these alerts go in their own delivery.
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

/** Merging changes the id, so it is allowed only if the receiver has got nothing; never merge twice. */
function mayMerge(delivery: Delivery, { reason }: Wait): boolean {
  const { purpose, channelKind, heldFor, fallbackFor } = delivery;
  if (reason === 'breaker_open' || purpose !== 'alert' || channelKind === 'email') return false;
  return heldFor === undefined && fallbackFor === undefined && !mayHaveArrived(delivery);
}
