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
/** A try that began at a time. */
const tryFrom = (at: number) => ({ ...place, leaseUntil: at + 15_000 });
const keep =
  (status: number, from = now) =>
  ({ idempotency }: Stores) =>
    idempotency.keep(tryFrom(from), { status, headers: {}, body: 'b' });
const letGo =
  (at: number, from = now) =>
  ({ idempotency }: Stores) =>
    idempotency.letGo(tryFrom(from), at);
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
      if (isTaken === true) await letGo(now + 15_500, now + 15_000)(stores);
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
  'is not taken over once it is answered, nor answered once it is taken over': meeting({
    given: begin('x'),
    a: takeOver(now + 15_000),
    b: keep(201),
    left: answerLeft,
    outcomes: [
      [false, true, ['x', 201, 15000]],
      [true, false, ['x', undefined, 30000]],
    ],
  }),
  'is let go of unless it is answered': meeting({
    given: begin('x'),
    a: letGo(now),
    b: keep(201),
    left: answerLeft,
    outcomes: [
      [false, true, ['x', 201, 15000]],
      [true, false, ['x', undefined, 0]],
    ],
  }),
  'is not let go of by a try that another has taken over from': meeting({
    given: begin('x'),
    a: takeOver(now + 15_000),
    b: letGo(now + 15_001),
    left: answerLeft,
    outcomes: [
      [false, true, ['x', undefined, 15001]],
      [true, false, ['x', undefined, 30000]],
    ],
  }),
  'is not answered before it is begun': meeting({
    given: nothing,
    a: keep(201),
    b: begin('b'),
    left: answerLeft,
    outcomes: [
      [false, true, ['b', undefined, 15000]],
      [true, true, ['b', 201, 15000]],
    ],
  }),
});
