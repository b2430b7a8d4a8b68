// The delay of a promised alert is counted when its receiver has it, unless its reader or receiver caused a wait.
import { describe, expect, it } from 'vitest';
import type { Attempted } from '#shared/delivery/attempt-result.ts';
import { type Delivery, newDelivery } from '#shared/delivery/delivery.ts';
import { promisedDelays } from '#shared/delivery/promised-delays.ts';
import { anAlert, firedAt } from '#test/support/alerts.ts';
import { aChannel } from '#test/support/delivering.ts';

const mail = aChannel({ target: { kind: 'email', address: 'ann@example.com' } });
const chat = aChannel();
const made = newDelivery(
  { deliveryId: 'dlv_1', purpose: 'alert', ownerId: 'o', channelId: 'c', channelKind: 'slack' },
  { now: firedAt },
);
const refused = { at: firedAt, outcome: 'throttled', durationMs: 100 };

function delaysOf(changes: Partial<Delivery>, channel = chat, from: (number | undefined)[] = [0]) {
  const told = from.map((early) => ({
    alert: anAlert({ promisedFrom: early === undefined ? undefined : firedAt - early }),
  }));
  return promisedDelays({
    ...{ delivery: { ...made, ...changes }, channel, told },
    ...{ health: undefined, sent: { kind: 'sent' }, leftOut: [] },
    ...{ startedAt: firedAt, endedAt: firedAt + 5_000 },
  } as unknown as Attempted);
}

describe('the delays of an attempt', () => {
  it('are counted for each alert of the message that is promised', () => {
    expect(delaysOf({}, chat, [60_000, undefined, 90_000])).toEqual([65_000, 95_000]);
  });

  it('are never negative: an alert may come before its watch asks for it', () => {
    expect(delaysOf({}, chat, [-3_540_000])).toEqual([0]);
  });

  it.each<[string, Partial<Delivery>]>([
    ['was held for quiet hours', { heldFor: 'quiet_hours' }],
    ['was replayed', { replayedAt: firedAt }],
    ['went to a fallback', { fallbackFor: 'ch_2' }],
    ['waited for a receiver that was busy', { lastReason: 'receiver_busy' }],
    ['was refused before by its receiver', { log: [refused] }],
  ])('are none if the message %s', (_what, changes) => {
    expect(delaysOf(changes)).toEqual([]);
  });

  it('count a wait for SES, which belongs to the service', () => {
    expect(delaysOf({ log: [refused], lastReason: 'ses_throttling' }, mail)).toEqual([5_000]);
  });
});
