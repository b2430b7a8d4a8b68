import type { HeldSlot } from '#shared/delivery/sender-slots.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';
import { aChannel } from '#test/support/delivering.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const afterLease = now + 600_000;

const slotFor = ({ senderSlots }: Stores, receiver: string, at: number) =>
  senderSlots(aChannel({ channelId: receiver }), at);
const take =
  (receiver: string, at = now) =>
  async (stores: Stores) =>
    (await slotFor(stores, receiver, at)).kind;
const taken =
  (slots: number, at = now) =>
  async (stores: Stores) => {
    const held: HeldSlot[] = [];
    for (let each = 0; each < slots; each += 1) {
      const slot = await slotFor(stores, 'x', at);
      if (slot.kind === 'held') held.push(slot);
    }
    return held;
  };
const releaseFirst = async (_stores: Stores, [first]: HeldSlot[]) => first?.release(now + 10);
/** Takes what is left, unless told for a receiver that none of the writers sends to. */
const freeAt =
  (at: number, receiver = 'other') =>
  async (stores: Stores) => {
    let free = 0;
    while ((await take(receiver, at)(stores)) === 'held') free += 1;
    return free;
  };

describeMeetings("an owner's sender slots", {
  'are taken by two first messages': meeting({
    given: async () => {},
    a: take('x'),
    b: take('y'),
    left: freeAt(now),
    outcomes: [['held', 'held', 4]],
  }),
  'give the last one once': meeting({
    given: taken(5),
    a: take('y'),
    b: take('z'),
    left: freeAt(now),
    outcomes: [
      ['busy', 'held', 0],
      ['held', 'busy', 0],
    ],
  }),
  'give one that is given back': meeting({
    given: taken(6),
    a: take('y', now + 20),
    b: releaseFirst,
    left: freeAt(now + 20),
    outcomes: [
      ['busy', undefined, 1],
      ['held', undefined, 0],
    ],
  }),
  'are not given back twice': meeting({
    given: taken(6),
    a: releaseFirst,
    b: releaseFirst,
    left: freeAt(now + 20),
    outcomes: [[undefined, undefined, 1]],
  }),
  'stay taken when a message gives back a slot whose lease expired': meeting({
    given: taken(1),
    a: take('y', afterLease),
    b: releaseFirst,
    left: freeAt(afterLease),
    outcomes: [['held', undefined, 5]],
  }),
  'remember how quick a receiver was, although a slot is given back again': meeting({
    given: async (stores) => {
      const held = await taken(1)(stores);
      await held[0]?.release(now + 20);
      return held;
    },
    a: async (_stores, [first]) => first?.release(now + 5_000),
    b: async (_stores, [first]) => first?.release(now + 6_000),
    left: freeAt(now + 30, 'x'),
    outcomes: [[undefined, undefined, 6]],
  }),
  'stay taken when a message gives its slot back again, in the moment another took it': meeting({
    given: async (stores) => {
      const held = await taken(6)(stores);
      await held[0]?.release(now);
      return held;
    },
    a: take('y'),
    b: releaseFirst,
    left: freeAt(now),
    outcomes: [['held', undefined, 0]],
  }),
});
