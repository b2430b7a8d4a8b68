import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const place = { keyId: 'key_1', route: 'POST /v1/watches', key: 'k' };
const begin =
  (fingerprint: string, at = now) =>
  ({ idempotency }: Stores) =>
    idempotency.begin(place, fingerprint, at);
const takeOver = (at: number) => async (stores: Stores) => {
  const found = await stores.idempotency.find(place, at);
  return found ? stores.idempotency.takeOver(found, at) : 'free';
};
const keep =
  (status: number) =>
  ({ idempotency }: Stores) =>
    idempotency.keep(place, { status, headers: {}, body: 'b' });
const letGo = (at: number) => (stores: Stores) => stores.idempotency.letGo(place, at);
const answerLeft = async ({ idempotency }: Stores) => {
  const found = await idempotency.find(place, now);
  return found && [found.fingerprint, found.status, found.leaseUntil - now];
};

describeMeetings('a request under an idempotency key', {
  'is begun once': meeting({
    given: nothing,
    a: begin('a'),
    b: begin('b'),
    left: answerLeft,
    outcomes: [
      [false, true, ['b', undefined, 15000]],
      [true, false, ['a', undefined, 15000]],
    ],
  }),
  'is begun anew after its day, once': meeting({
    given: begin('x', now - 86_400_000),
    a: begin('a'),
    b: begin('b'),
    left: answerLeft,
    outcomes: [
      [false, true, ['b', undefined, 15000]],
      [true, false, ['a', undefined, 15000]],
    ],
  }),
  'is taken over once': meeting({
    given: begin('x'),
    a: takeOver(now + 15_000),
    b: takeOver(now + 15_000),
    left: answerLeft,
    outcomes: [
      [false, true, ['x', undefined, 30000]],
      [true, false, ['x', undefined, 30000]],
    ],
  }),
  'is not taken over as it was before another took it over and let it go': meeting({
    given: async (stores) => {
      await begin('x')(stores);
      return stores.idempotency.find(place, now);
    },
    a: async ({ idempotency }, found) => found && idempotency.takeOver(found, now + 16_000),
    b: async (stores) => {
      const isTaken = await takeOver(now + 15_000)(stores);
      if (isTaken === true) await letGo(now + 15_500)(stores);
      return isTaken;
    },
    left: answerLeft,
    outcomes: [
      [false, true, ['x', undefined, 15500]],
      [true, false, ['x', undefined, 31000]],
    ],
  }),
  'is not taken over before its lease ends': meeting({
    given: begin('x'),
    a: takeOver(now + 14_999),
    b: takeOver(now + 15_000),
    left: answerLeft,
    outcomes: [[false, true, ['x', undefined, 30000]]],
  }),
  'is not taken over once it is answered': meeting({
    given: begin('x'),
    a: takeOver(now + 15_000),
    b: keep(201),
    left: answerLeft,
    outcomes: [
      [false, undefined, ['x', 201, 15000]],
      [true, undefined, ['x', 201, 30000]],
    ],
  }),
  'is let go of unless it is answered': meeting({
    given: begin('x'),
    a: letGo(now),
    b: keep(201),
    left: answerLeft,
    outcomes: [
      [undefined, undefined, ['x', 201, 0]],
      [undefined, undefined, ['x', 201, 15000]],
    ],
  }),
  'is not answered before it is begun': meeting({
    given: nothing,
    a: keep(201),
    b: begin('b'),
    left: answerLeft,
    outcomes: [
      ['ConditionalCheckFailedException', true, ['b', undefined, 15000]],
      [undefined, true, ['b', 201, 15000]],
    ],
  }),
});
