// Records how an attempt ended: on the delivery, and on the channel's health, with all that follows from
// it (another try, the fallback, a notice, switching the channel off).
import type { ChannelHealthStore } from '#shared/dynamo/channel-health.ts';
import type { ChannelStore } from '#shared/dynamo/channels.ts';
import type { AttemptRecord, DeliveryStore } from '#shared/dynamo/deliveries.ts';
import type { AttemptResult } from './attempt.ts';
import type { Channel } from './channel.ts';
import { type ChannelHealth, isGone, markToTell, openForMs, throttleMs } from './channel-health.ts';
import type { Delivery, LeftOut } from './delivery.ts';
import { type FallBack, isFallbackDue, nextTryAt } from './fallback.ts';
import { channelTitle } from './message/channel-title.ts';
import {
  blockedNotice,
  type ChannelTrouble,
  type Notice,
  troubleNotice,
} from './message/message-kinds.ts';
import type { PutOff } from './put-off.ts';
import { decideRetry } from './retry-schedule.ts';
import type { SendLater } from './send-later.ts';
import type { SendOutcome } from './send-outcome.ts';
import { suppressionBehind } from './suppression.ts';
import type { SwitchOff } from './switch-off.ts';
import type { TellOwner } from './tell-owner.ts';

export interface Attempted {
  delivery: Delivery;
  channel: Channel;
  health: ChannelHealth | undefined;
  sent: SendOutcome;
  leftOut: LeftOut[];
  /** Epoch milliseconds. */
  startedAt: number;
  endedAt: number;
}

export type RecordOutcome = (attempted: Attempted) => Promise<AttemptResult>;

interface RecordDeps {
  deliveries: Pick<DeliveryStore, 'finish' | 'markForRetry'>;
  health: Pick<ChannelHealthStore, 'countFailure' | 'note' | 'open' | 'recover' | 'throttle'>;
  channels: Pick<ChannelStore, 'changeStatus'>;
  fallBack: FallBack;
  tellOwner: TellOwner;
  switchOff: SwitchOff;
  putOff: PutOff;
  sendLater: SendLater;
  random: () => number;
}

type Failed = Extract<SendOutcome, { kind: 'failed' }>;
type Retry = Extract<SendOutcome, { kind: 'retry' }>;
type Throttled = Extract<SendOutcome, { kind: 'throttled' }>;

/** What follows from a failure comes before the delivery's own end, so that a crash in between does it again. */
export function createRecordOutcome(deps: RecordDeps): RecordOutcome {
  return function recordOutcome(attempted) {
    const { sent } = attempted;
    if (sent.kind === 'throttled') return throttled(attempted, sent);
    if (sent.kind === 'retry') return retry(attempted, sent);
    if (sent.kind === 'failed') return failed(attempted, sent);
    return arrived(attempted, sent.kind);
  };

  async function arrived(
    attempted: Attempted,
    outcome: 'sent' | 'unconfirmed',
  ): Promise<AttemptResult> {
    const { delivery, channel, health, endedAt, sent } = attempted;
    // First of all, since until then a crash sends it again; the rest mends itself at the next success.
    await deps.deliveries.finish(delivery, outcome, recordOf(attempted, outcome), endedAt);
    if (health) await deps.health.recover(channel.channelId);
    if (delivery.purpose === 'test' && channel.status === 'disabled') {
      await deps.channels.changeStatus(channel.channelId, ['disabled'], { status: 'active' });
    }
    return { outcome, reason: sent.reason, delivery };
  }

  /** No failure: the channel is left alone for as long as it asked, and the alerts wait together. */
  async function throttled(attempted: Attempted, sent: Throttled): Promise<AttemptResult> {
    const { delivery, channel, health, endedAt } = attempted;
    const until = endedAt + throttleMs(health?.throttles ?? 0, sent.afterMs);
    await deps.health.throttle(channel.channelId, until);
    const { entry } = recordOf(attempted, 'throttled');
    return deps.putOff(delivery, { until, reason: 'throttled', now: endedAt, entry });
  }

  async function retry(attempted: Attempted, sent: Retry): Promise<AttemptResult> {
    if (sent.isOurs === undefined) await noteFailure(attempted, sent.reason, false);
    return tryAgain(attempted, sent);
  }

  async function tryAgain(
    attempted: Attempted,
    sent: Pick<Retry, 'reason' | 'afterMs' | 'isOurs'>,
  ): Promise<AttemptResult> {
    const { delivery, endedAt } = attempted;
    const decision = decideRetry(delivery.attempts, deps.random(), sent.afterMs);
    if (decision.kind === 'give_up' || delivery.purpose === 'test') {
      const reason =
        decision.kind === 'give_up' ? `${decision.reason}:${sent.reason}` : sent.reason;
      return giveUp(attempted, reason, sent.isOurs);
    }
    const until =
      sent.afterMs === undefined
        ? nextTryAt(delivery, endedAt, decision.afterMs)
        : endedAt + decision.afterMs;
    const fellBackTo = isFallbackDue(delivery, endedAt) ? await fallBack(attempted) : [];
    const record = { ...recordOf(attempted, 'retry'), fellBackTo };
    await deps.deliveries.markForRetry(delivery, record, until);
    await deps.sendLater(delivery, until, endedAt);
    return { outcome: 'retry', reason: sent.reason, delivery };
  }

  async function failed(attempted: Attempted, sent: Failed): Promise<AttemptResult> {
    if (sent.channelIs === undefined) return giveUp(attempted, sent.reason, sent.isOurs);
    const health = await noteFailure(attempted, sent.reason, sent.channelIs === 'perhaps_gone');
    if (sent.channelIs === 'perhaps_gone' && !isGone(health, attempted.endedAt)) {
      return tryAgain(attempted, { reason: sent.reason });
    }
    await switchOff(attempted, health, sent.reason);
    return giveUp(attempted, sent.reason);
  }

  async function giveUp(
    attempted: Attempted,
    reason: string,
    isOurFault?: true,
  ): Promise<AttemptResult> {
    const { delivery } = attempted;
    const fellBackTo = await fallBack(attempted);
    const failure = { lastReason: reason, fellBackTo, isOurFault };
    await deps.deliveries.finish(delivery, 'failed', {
      ...recordOf(attempted, 'failed'),
      ...failure,
    });
    return { outcome: 'failed', reason, delivery, ...(isOurFault && { isOurFault }) };
  }

  /** What this attempt left out is no news by another channel either. */
  function fallBack({ delivery, channel, leftOut, endedAt }: Attempted): Promise<string[]> {
    return deps.fallBack({ ...delivery, leftOut }, channel, endedAt);
  }

  async function noteFailure(
    attempted: Attempted,
    lastReason: string,
    isPerhapsGone: boolean,
  ): Promise<ChannelHealth> {
    const { channel, endedAt: now } = attempted;
    const seen = { now, lastReason, isPerhapsGone };
    const health = await deps.health.countFailure(channel.channelId, seen);
    const openMs = openForMs(health);
    if (openMs > 0) await deps.health.open(channel.channelId, now + openMs);
    const mark = markToTell(health, now);
    if (mark === 100) await switchOff(attempted, health, lastReason);
    else if (mark !== undefined) {
      await tell(attempted, health, { percent: mark, reason: lastReason });
      await deps.health.note(channel.channelId, mark);
    }
    return health;
  }

  async function switchOff(
    { channel, endedAt: now }: Attempted,
    health: ChannelHealth,
    reason: string,
  ): Promise<void> {
    const suppression = suppressionBehind(reason);
    const notice = suppression
      ? blockedNotice(channelTitle(channel), suppression)
      : noticeOf(channel, health, { percent: 100, reason, now });
    await deps.switchOff(channel, { reason, notice, now });
  }

  async function tell(
    { channel, endedAt: now }: Attempted,
    health: ChannelHealth,
    { percent, reason }: { percent: 50 | 70 | 90; reason: string },
  ): Promise<void> {
    const { ownerId, channelId } = channel;
    const { failingSince = now } = health;
    await deps.tellOwner({
      ownerId,
      subject: `trouble#${channelId}#${failingSince}#${percent}`,
      notice: noticeOf(channel, health, { percent, reason, now }),
      exceptChannelId: channelId,
      now,
    });
  }
}

function noticeOf(
  channel: Channel,
  { failingSince }: ChannelHealth,
  { now, ...trouble }: Pick<ChannelTrouble, 'percent' | 'reason'> & { now: number },
): Notice {
  const failingForMs = now - (failingSince ?? now);
  return troubleNotice({ channel: channelTitle(channel), failingForMs, ...trouble });
}

function recordOf({ sent, leftOut, startedAt, endedAt }: Attempted, outcome: string) {
  const { reason, httpStatus, excerpt } = sent;
  return {
    lastReason: reason,
    leftOut,
    entry: { at: startedAt, outcome, reason, httpStatus, excerpt, durationMs: endedAt - startedAt },
  } satisfies AttemptRecord;
}
