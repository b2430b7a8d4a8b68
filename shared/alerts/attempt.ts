// One attempt of one delivery, whatever the channel: claim, send, record.
// At least once; once in all but a crash between the send and its record, which the receiver can tell
// by the delivery's id.
import type { DeliveryStore } from '#shared/store/deliveries.ts';
import type { Channel } from '#shared/watchlist/channel.ts';
import type { Alert } from './alert.ts';
import { type Delivery, type SendOutcome, sendLeaseMs } from './delivery.ts';
import { decideRetry } from './retry-schedule.ts';

export interface AttemptResult {
  outcome: 'sent' | 'retry' | 'failed' | 'suppressed' | 'not_claimed';
  reason?: string;
  delivery?: Delivery;
}

/** SQS delays a message by 15 minutes at the most; longer waits are left to reconcile. */
const longestQueueDelayMs = 900_000;

interface AttemptDeps {
  deliveries: DeliveryStore;
  findAlert: (alertId: string) => Promise<Alert | undefined>;
  findChannel: (channelId: string) => Promise<Channel | undefined>;
  /** Sends; an exception counts as a passing fault. */
  send: (alert: Alert, channel: Channel, delivery: Delivery) => Promise<SendOutcome>;
  sendAgainLater: (deliveryId: string, delaySeconds: number) => Promise<void>;
  random: () => number;
}

/** The use case of both send functions. */
export function createAttempt(deps: AttemptDeps) {
  const { deliveries } = deps;

  return async function attempt(deliveryId: string, now: () => number): Promise<AttemptResult> {
    const delivery = await deliveries.claim(deliveryId, now(), now() + sendLeaseMs);
    if (!delivery) return { outcome: 'not_claimed' };
    const [alert, channel] = await Promise.all([
      deps.findAlert(delivery.alertId),
      deps.findChannel(delivery.channelId),
    ]);
    if (!alert || channel?.status !== 'active') {
      const reason = alert ? 'channel_gone' : 'alert_gone';
      await deliveries.markSuppressed(delivery, reason);
      return { outcome: 'suppressed', reason, delivery };
    }
    const sent = await sendOrRetry(alert, channel, delivery);
    return record(delivery, sent, now);
  };

  async function sendOrRetry(
    alert: Alert,
    channel: Channel,
    delivery: Delivery,
  ): Promise<SendOutcome> {
    try {
      return await deps.send(alert, channel, delivery);
    } catch (error) {
      return { kind: 'retry', reason: (error as Error).name };
    }
  }

  async function record(
    delivery: Delivery,
    sent: SendOutcome,
    now: () => number,
  ): Promise<AttemptResult> {
    if (sent.kind === 'sent') {
      await deliveries.markSent(delivery, now());
      return { outcome: 'sent', delivery };
    }
    if (sent.kind === 'failed') return giveUp(delivery, sent.reason);
    const decision = decideRetry(delivery.attempts, deps.random(), sent.afterMs);
    if (decision.kind === 'give_up') return giveUp(delivery, `${decision.reason}:${sent.reason}`);
    await deliveries.markForRetry(delivery, sent.reason, now() + decision.afterMs);
    if (decision.afterMs <= longestQueueDelayMs) {
      await deps.sendAgainLater(delivery.deliveryId, Math.ceil(decision.afterMs / 1_000));
    }
    return { outcome: 'retry', reason: sent.reason, delivery };
  }

  async function giveUp(delivery: Delivery, reason: string): Promise<AttemptResult> {
    await deliveries.markFailed(delivery, reason);
    return { outcome: 'failed', reason, delivery };
  }
}
