// Records the outcome of an attempt on the delivery, and starts what follows: a retry, the fallback, or the
// end. note-failure.ts records failures of the channel.
import type { ChannelHealthStore } from '#shared/dynamo/channel-health.ts';
import type { ChannelStore } from '#shared/dynamo/channels.ts';
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import type { AttemptRecord } from '#shared/dynamo/delivery-attempts.ts';
import type { Attempted, AttemptResult } from './attempt-result.ts';
import { isGone, throttleMs } from './channel-health.ts';
import type { KeepLiving } from './episodes/keep-living.ts';
import { type FallBack, isFallbackDue, nextTryAt } from './fallback.ts';
import { createNoteFailure } from './note-failure.ts';
import { promisedDelays } from './promised-delays.ts';
import type { PutOff } from './put-off.ts';
import { decideRetry } from './retry-schedule.ts';
import type { SendLater } from './send-later.ts';
import type { SendOutcome } from './send-outcome.ts';
import type { SwitchOff } from './switch-off.ts';
import type { TellOwner } from './tell-owner.ts';

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
  keepLiving: KeepLiving;
  random: () => number;
}

type Failed = Extract<SendOutcome, { kind: 'failed' }>;
type Retry = Extract<SendOutcome, { kind: 'retry' }>;
type Throttled = Extract<SendOutcome, { kind: 'throttled' }>;

/** The effects of a failure are written before the delivery's own end, so a crash in between repeats them. */
export function createRecordOutcome(deps: RecordDeps): RecordOutcome {
  const { noteFailure, switchOff } = createNoteFailure(deps);

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
    // Write this first: a crash before it sends the message again. The next success corrects the rest.
    const record = recordOf(attempted, outcome);
    const isOurs = await deps.deliveries.finish(delivery, outcome, record, endedAt);
    if (health) await deps.health.recover(channel.channelId);
    if (delivery.purpose === 'test' && channel.status === 'disabled') {
      await deps.channels.changeStatus(channel.channelId, ['disabled'], { status: 'active' });
    }
    // Another sender has the delivery now, and sends a message of its own.
    if (isOurs) await deps.keepLiving(attempted);
    const promisedDelaysMs = isOurs ? promisedDelays(attempted) : [];
    return { outcome, reason: sent.reason, delivery, promisedDelaysMs };
  }

  /** Not a failure: the channel is paused for as long as the receiver asked, and its alerts are merged. */
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

  /** Alerts that this attempt left out are no news to the fallback either. */
  function fallBack({ delivery, channel, leftOut, endedAt }: Attempted): Promise<string[]> {
    return deps.fallBack({ ...delivery, leftOut }, channel, endedAt);
  }
}

function recordOf({ sent, leftOut, startedAt, endedAt }: Attempted, outcome: string) {
  const { reason, httpStatus, excerpt } = sent;
  return {
    lastReason: reason,
    leftOut,
    entry: { at: startedAt, outcome, reason, httpStatus, excerpt, durationMs: endedAt - startedAt },
  } satisfies AttemptRecord;
}
