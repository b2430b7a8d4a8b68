// Decides whether a channel may be called now: its breaker, the sender's slots, the channel's rate.
import type { ChannelHealthStore } from '#shared/dynamo/channel-health.ts';
import { timing } from '#shared/timing.ts';
import type { Channel } from './channel.ts';
import { type ChannelHealth, decideAdmission } from './channel-health.ts';
import type { Delivery } from './delivery.ts';
import type { TakeTurn } from './pace.ts';
import type { Wait } from './put-off.ts';
import type { HeldSlot, TakeSlot } from './sender-slots.ts';

interface AdmitDeps {
  health: Pick<ChannelHealthStore, 'takeProbe'>;
  takeSlot: TakeSlot;
  takeTurn: TakeTurn;
}

/** Why a channel is not called now, and until when (epoch ms). */
interface Waiting extends Pick<Wait, 'until' | 'reason'> {
  kind: 'wait';
}

/** @returns a function that takes a slot for one send, or says how long the delivery must wait. */
export function createAdmit(deps: AdmitDeps) {
  return admit;

  /** Tests ignore an open breaker, because their owner waits for the result. */
  async function admit(
    { purpose }: Delivery,
    channel: Channel,
    health: ChannelHealth | undefined,
    now: number,
  ): Promise<HeldSlot | Waiting> {
    const isTest = purpose === 'test';
    const admission = isTest
      ? ({ kind: 'go', isProbe: false } as const)
      : decideAdmission(health, now);
    if (admission.kind === 'wait') return admission;
    const slot = await deps.takeSlot(channel, now);
    if (slot.kind === 'busy') return { kind: 'wait', until: slot.until, reason: 'receiver_busy' };
    const wait = await probeOrPace(channel, admission.isProbe ? health : undefined, now);
    if (!wait) return slot;
    await slot.release(now);
    return wait;
  }

  /** @param probed the channel's health if this send probes its breaker; else undefined. */
  async function probeOrPace(
    channel: Channel,
    probed: ChannelHealth | undefined,
    now: number,
  ): Promise<Waiting | undefined> {
    const probeEndsAt = now + timing.sendLeaseMs;
    const { channelId } = channel;
    if (probed && !(await deps.health.takeProbe(channelId, probed.openUntil ?? 0, probeEndsAt))) {
      return { kind: 'wait', until: probeEndsAt, reason: 'breaker_open' };
    }
    const until = await deps.takeTurn(channel, now);
    return until === undefined ? undefined : { kind: 'wait', until, reason: 'throttled' };
  }
}
