import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideSlot, receiverOf, type SenderSlots } from '#shared/delivery/sender-slots.ts';
import { aChannel } from '#test/support/delivering.ts';

const at = 1_772_366_400_000;
const lease = { now: at, until: at + 90_000 };
const slot = (receiver: string, from: number, also: object = {}) => ({
  ...{ receiver, from, until: from + 90_000 },
  ...also,
});
const hook = (url: string) => ({ kind: 'webhook' as const, url, secrets: [] });

describe('a receiver', () => {
  it('is a host for webhooks, a channel for chats, and none for mail', () => {
    expect(receiverOf(aChannel({ target: hook('https://A.example:8443/hook?x=1') }))).toBe(
      'host a.example:8443',
    );
    expect(receiverOf(aChannel({ channelId: 'ch_1' }))).toBe('ch_1');
    expect(receiverOf(aChannel({ target: { kind: 'email', address: 'a@b.c' } }))).toBeUndefined();
    expect(receiverOf(aChannel({ channelId: 'ch_1', target: hook('damaged') }))).toBe('ch_1');
  });
});

describe('a slot', () => {
  it('is taken where six are free', () => {
    expect(decideSlot({}, 'a', lease)).toEqual({
      kind: 'take',
      name: 's0',
      slot: { receiver: 'a', from: at, until: at + 90_000 },
    });
  });

  it('is not there for a third message while the first is being sent for more than a second', () => {
    const slots = { s0: slot('a', at - 1_001), s1: slot('a', at - 10) };
    expect(decideSlot(slots, 'a', lease)).toEqual({ kind: 'busy', until: at + 5_000 });
    expect(decideSlot(slots, 'b', lease).kind).toBe('take');
  });

  it('remembers that the receiver was slow', () => {
    const slots = {
      s0: slot('a', at - 20_000, { until: 0, tookMs: 8_000 }),
      s1: slot('a', at - 10),
      s2: slot('a', at - 5),
    };
    expect(decideSlot(slots, 'a', lease).kind).toBe('busy');
    const quick = { ...slots, s0: slot('a', at - 20_000, { until: 0, tookMs: 900 }) };
    expect(decideSlot(quick, 'a', lease)).toMatchObject({ name: 's0', slot: { tookMs: 900 } });
  });

  it('is one of six for all receivers of an owner together', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const slots = Object.fromEntries(names.map((name, index) => [`s${index}`, slot(name, at - 5)]));
    expect(decideSlot(slots, 'g', lease)).toEqual({ kind: 'busy', until: at + 1_000 });
  });

  it('of a sender that died is free when its lease ends', () => {
    const slots = { s0: slot('a', at - 90_001), s1: slot('a', at - 90_000) };
    expect(decideSlot(slots, 'a', lease)).toMatchObject({ kind: 'take', name: 's0' });
  });

  it('is never held by more than six, nor by more than two of a receiver known as slow', () => {
    const step = fc.record({
      receiver: fc.constantFrom('slow', 'quick', 'other'),
      isEnd: fc.boolean(),
      afterMs: fc.integer({ min: 0, max: 3_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        let slots: SenderSlots['slots'] = {
          s0: { receiver: 'slow', from: at - 1, until: 0, tookMs: 8_000 },
        };
        let now = at;
        for (const { receiver, isEnd, afterMs } of steps) {
          now += afterMs;
          const held = Object.entries(slots).filter(([, { until }]) => until > now);
          const oldest = held.find(([, each]) => each.receiver === receiver);
          if (isEnd && oldest) {
            const [name, ended] = oldest;
            const tookMs = receiver === 'slow' ? 8_000 : 50;
            slots = { ...slots, [name]: { ...ended, until: 0, tookMs } };
            continue;
          }
          const decision = decideSlot(slots, receiver, { now, until: now + 90_000 });
          if (decision.kind === 'busy') expect(decision.until).toBeGreaterThan(now);
          else slots = { ...slots, [decision.name]: decision.slot };
          const live = Object.values(slots).filter(({ until }) => until > now);
          expect(live.length).toBeLessThanOrEqual(6);
          const slow = live.filter((each) => each.receiver === 'slow');
          expect(slow.length).toBeLessThanOrEqual(2);
        }
      }),
    );
  });
});
