// One attempt of one delivery on any kind of channel: claim it, ask whether the channel may be called, take a
// sender slot, prepare, send, record. Delivery is at least once: only a crash between the send and its record
// sends twice, and the receiver can recognise the repeat by the delivery's id.

import type { ChannelHealthStore } from '#shared/dynamo/channel-health.ts';
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import { timing } from '#shared/timing.ts';
import { createAdmit } from './admit.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { Channel } from './channel.ts';
import type { Delivery } from './delivery.ts';
import { type FallBack, isFallbackDue } from './fallback.ts';
import type { TakeTurn } from './pace.ts';
import type { Prepared, PrepareMessage } from './prepare-message.ts';
import type { PutOff } from './put-off.ts';
import type { RecordOutcome } from './record-outcome.ts';
import type { SendOutcome } from './send-outcome.ts';
import type { HeldSlot, TakeSlot } from './sender-slots.ts';

/** Sends a message. An exception is a fault of ours and is retried. */
export type Send = (
  prepared: Prepared,
  channel: Channel,
  delivery: Delivery,
) => Promise<SendOutcome>;

interface AttemptDeps {
  deliveries: Pick<DeliveryStore, 'claim' | 'finish'>;
  health: Pick<ChannelHealthStore, 'find' | 'takeProbe'>;
  findChannel: (channelId: string) => Promise<Channel | undefined>;
  prepare: PrepareMessage;
  takeSlot: TakeSlot;
  takeTurn: TakeTurn;
  putOff: PutOff;
  fallBack: FallBack;
  send: Send;
  record: RecordOutcome;
}

/** The use case of both send functions. */
export function createAttempt(deps: AttemptDeps) {
  const { deliveries } = deps;
  const admit = createAdmit(deps);

  return async function attempt(deliveryId: string, now: () => number): Promise<AttemptResult> {
    const startedAt = now();
    const delivery = await deliveries.claim(deliveryId, startedAt, startedAt + timing.sendLeaseMs);
    if (!delivery) return { outcome: 'not_claimed' };
    const { channelId } = delivery;
    const [channel, health] = await Promise.all([
      deps.findChannel(channelId),
      deps.health.find(channelId),
    ]);
    if (!channel) return end(delivery, { status: 'suppressed', reason: 'channel_gone' });
    const stop = whyStopped(delivery, channel);
    if (stop) return endStopped(delivery, channel, { stop, now: startedAt });
    if (delivery.mergedInto !== undefined) {
      // A crash interrupted this merge, so finish it before deciding anything else.
      const until = delivery.nextAttemptAt ?? startedAt;
      return deps.putOff(delivery, { until, reason: 'throttled', now: startedAt });
    }
    const admitted = await admit(delivery, channel, health, startedAt);
    if (admitted.kind === 'wait') {
      const { until, reason } = admitted;
      const isDue = isFallbackDue(delivery, startedAt);
      const fellBackTo = isDue ? await deps.fallBack(delivery, channel, startedAt) : [];
      return deps.putOff(delivery, { until, reason, fellBackTo, now: startedAt });
    }
    const { prepared, sent } = await prepareAndSend(delivery, channel, admitted, now);
    if (!sent) return nothingToTell(delivery, prepared);
    const times = { startedAt, endedAt: now() };
    const { told, leftOut } = prepared;
    return deps.record({ delivery, channel, health, sent, told, leftOut, ...times });
  };

  /** Always releases the slot. @returns no outcome if there was nothing to send. */
  async function prepareAndSend(
    delivery: Delivery,
    channel: Channel,
    slot: HeldSlot,
    now: () => number,
  ): Promise<{ prepared: Prepared; sent?: SendOutcome }> {
    try {
      const prepared = await deps.prepare(delivery, channel, now());
      if (prepared.stopped) return { prepared };
      if (delivery.purpose === 'alert' && prepared.told.length === 0) return { prepared };
      return { prepared, sent: await sendOrRetry(prepared, channel, delivery) };
    } finally {
      await slot.release(now());
    }
  }

  /** Sends the alerts of a switched-off channel to its fallback; a retry after a crash does so too. */
  async function endStopped(
    delivery: Delivery,
    channel: Channel,
    { stop, now }: { stop: Stop; now: number },
  ): Promise<AttemptResult> {
    const isMissed = stop.status === 'skipped';
    return end(delivery, stop, isMissed ? await deps.fallBack(delivery, channel, now) : []);
  }

  async function end(
    delivery: Delivery,
    { status, reason }: Stop,
    fellBackTo: readonly string[] = [],
  ): Promise<AttemptResult> {
    await deliveries.finish(delivery, status, { lastReason: reason, fellBackTo });
    return { outcome: status, reason, delivery };
  }

  async function nothingToTell(
    delivery: Delivery,
    { leftOut, stopped }: Prepared,
  ): Promise<AttemptResult> {
    const reason = stopped ?? leftOut[0]?.reason ?? 'alert_gone';
    await deliveries.finish(delivery, 'suppressed', { lastReason: reason, leftOut });
    return { outcome: 'suppressed', reason, delivery };
  }

  async function sendOrRetry(
    prepared: Prepared,
    channel: Channel,
    delivery: Delivery,
  ): Promise<SendOutcome> {
    try {
      return await deps.send(prepared, channel, delivery);
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown_error';
      return { kind: 'retry', reason, isOurs: true };
    }
  }
}

interface Stop {
  status: 'suppressed' | 'skipped';
  reason: string;
}

/** Why a delivery can never go to its channel. Tests may go to a channel that is switched off. */
function whyStopped({ purpose }: Delivery, channel: Channel): Stop | undefined {
  if (channel.status === 'unsubscribed')
    return { status: 'suppressed', reason: 'channel_unsubscribed' };
  if (channel.status === 'disabled' && purpose !== 'test') {
    return { status: 'skipped', reason: 'channel_disabled' };
  }
  if (channel.status === 'unverified' && purpose !== 'confirmation') {
    return { status: 'suppressed', reason: 'channel_unverified' };
  }
  return undefined;
}
