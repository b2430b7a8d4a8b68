import { alertsPerDelivery, type Delivery, newDelivery } from '#shared/delivery/delivery.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const id = 'dlv_1';
const now = 1_000_000;
const lease = 90_000;
/** A sender whose lease ran out may still be at work; another claims then. */
const lapsed = now + lease + 1;

function aDelivery(changes: Partial<Delivery> = {}): Delivery {
  const of = { deliveryId: id, ownerId: 'own_1', channelId: 'chn_1' } as const;
  const made = newDelivery({ ...of, purpose: 'alert', channelKind: 'webhook' }, { now });
  return { ...made, alertIds: new Set(['alt_0']), ...changes };
}

const stored =
  (changes: Partial<Delivery> = {}) =>
  ({ deliveries }: Stores) =>
    deliveries.create(aDelivery(changes));
const claimed = async ({ deliveries }: Stores) => {
  await deliveries.create(aDelivery());
  return deliveries.claim(id, now, now + lease);
};
const claim = (at: number) => async (stores: Stores) =>
  (await stores.deliveries.claim(id, at, at + lease))?.claims;
const join = (alertId: string) => (stores: Stores) =>
  stores.deliveries.join(aDelivery(), new Set([alertId]));
const makeDue = (at: number) => (stores: Stores) => stores.deliveries.makeDue(id, at);
const replay = (at: number) => (stores: Stores) => stores.deliveries.replay(id, at);

/** What a sender does with what it claimed. */
type Ending = (stores: Stores, delivery: Delivery) => Promise<boolean>;
const finish: Ending = ({ deliveries }, delivery) => deliveries.finish(delivery, 'sent', {}, now);
const fail: Ending = ({ deliveries }, delivery) =>
  deliveries.finish(delivery, 'failed', { lastReason: 'refused' });
const retry: Ending = ({ deliveries }, delivery) =>
  deliveries.markForRetry(delivery, { lastReason: 'busy' }, now + 500_000);
const postpone: Ending = ({ deliveries }, delivery) =>
  deliveries.postpone(delivery, {}, now + 700_000);

/** A sender: it claims, and ends what it has claimed. */
const send = (at: number, ending: Ending) => async (stores: Stores) => {
  const delivery = await stores.deliveries.claim(id, at, at + lease);
  return delivery && ending(stores, delivery);
};
/** A sender that has claimed before, and ends now. */
const end = (ending: Ending) => (stores: Stores, delivery: Delivery | undefined) =>
  delivery ? ending(stores, delivery) : Promise.resolve('not claimed');

const left = async ({ deliveries }: Stores) => {
  const found = await deliveries.find(id);
  return found && [found.status, found.claims, found.attempts, (found.nextAttemptAt ?? now) - now];
};
const alertsLeft = async ({ deliveries }: Stores) => {
  const found = await deliveries.find(id);
  return [found?.status, [...(found?.alertIds ?? [])].sort()];
};
const howManyLeft = async ({ deliveries }: Stores) => (await deliveries.find(id))?.alertIds?.size;

describeMeetings('a delivery', {
  'is made once': meeting({
    given: async () => {},
    a: stored({ attempts: 1 }),
    b: stored({ attempts: 2 }),
    left,
    outcomes: [
      [false, true, ['pending', 0, 2, 0]],
      [true, false, ['pending', 0, 1, 0]],
    ],
  }),
  'is claimed by one sender': meeting({
    given: stored(),
    a: claim(now),
    b: claim(now),
    left,
    outcomes: [
      [undefined, 1, ['sending', 1, 1, 90000]],
      [1, undefined, ['sending', 1, 1, 90000]],
    ],
  }),
  'is claimed no earlier than it is due': meeting({
    given: stored({ nextAttemptAt: now + 60_000 }),
    a: claim(now),
    b: claim(now + 60_000),
    left,
    outcomes: [[undefined, 1, ['sending', 1, 1, 150000]]],
  }),
  'is not claimed while it is skipped': meeting({
    given: stored({ status: 'skipped' }),
    a: claim(now),
    b: replay(now),
    left,
    outcomes: [
      [undefined, true, ['pending', 0, 0, 0]],
      [1, true, ['sending', 1, 1, 90000]],
    ],
  }),
  'stays with the sender that claimed it last': meeting({
    given: stored(),
    a: send(now, finish),
    b: send(lapsed, retry),
    left,
    outcomes: [
      [undefined, true, ['pending', 1, 1, 500000]],
      [false, true, ['pending', 2, 2, 500000]],
      [true, undefined, ['sent', 1, 1, 0]],
    ],
  }),
  'is not failed by a sender that lost it': meeting({
    given: stored(),
    a: send(now, fail),
    b: send(lapsed, finish),
    left,
    outcomes: [
      [undefined, true, ['sent', 1, 1, 0]],
      [false, true, ['sent', 2, 2, 0]],
      [true, undefined, ['failed', 1, 1, 0]],
    ],
  }),
  'is ended once by one claim': meeting({
    given: claimed,
    a: end(finish),
    b: end(retry),
    left,
    outcomes: [
      [false, true, ['pending', 1, 1, 500000]],
      [true, false, ['sent', 1, 1, 0]],
    ],
  }),
  'is ended by a write that the client repeats, whose first answer was lost': meeting({
    given: claimed,
    a: end(finish),
    b: end(finish),
    left,
    outcomes: [[true, true, ['sent', 1, 1, 0]]],
  }),
  'has one of two ends of one claim': meeting({
    given: claimed,
    a: end(finish),
    b: end(fail),
    left,
    outcomes: [
      [false, true, ['failed', 1, 1, 0]],
      [true, false, ['sent', 1, 1, 0]],
    ],
  }),
  'counts an attempt that was put off once': meeting({
    given: claimed,
    a: end(postpone),
    b: end(postpone),
    left,
    outcomes: [
      [false, true, ['pending', 1, 0, 700000]],
      [true, false, ['pending', 1, 0, 700000]],
    ],
  }),
  'does not move where it was sent already': meeting({
    given: claimed,
    a: end(finish),
    b: end(({ deliveries }, delivery) => deliveries.noteMove(delivery, 'dlv_2')),
    left: async ({ deliveries }) => (await deliveries.find(id))?.status,
    outcomes: [
      [true, false, 'sent'],
      [true, true, 'sent'],
    ],
  }),
  'takes the alerts of both': meeting({
    given: stored(),
    a: join('alt_1'),
    b: join('alt_2'),
    left: alertsLeft,
    outcomes: [[true, true, ['pending', ['alt_0', 'alt_1', 'alt_2']]]],
  }),
  'takes the alerts of both that make it': meeting({
    given: async () => {},
    a: join('alt_1'),
    b: join('alt_2'),
    left: alertsLeft,
    outcomes: [[true, true, ['pending', ['alt_1', 'alt_2']]]],
  }),
  'takes no alert once it has begun': meeting({
    given: stored(),
    a: join('alt_1'),
    b: claim(now),
    left: alertsLeft,
    outcomes: [
      [false, 1, ['sending', ['alt_0']]],
      [true, 1, ['sending', ['alt_0', 'alt_1']]],
    ],
  }),
  'takes no alert when it waits for its second attempt': meeting({
    given: stored(),
    a: join('alt_1'),
    b: send(now, retry),
    left: alertsLeft,
    outcomes: [
      [false, true, ['pending', ['alt_0']]],
      [true, true, ['pending', ['alt_0', 'alt_1']]],
    ],
  }),
  'takes no alert while it is skipped': meeting({
    given: stored({ status: 'skipped' }),
    a: join('alt_1'),
    b: replay(now),
    left: alertsLeft,
    outcomes: [
      [false, true, ['pending', ['alt_0']]],
      [true, true, ['pending', ['alt_0', 'alt_1']]],
    ],
  }),
  'takes as many alerts as fit': meeting({
    given: stored({
      alertIds: new Set(Array.from({ length: alertsPerDelivery - 1 }, (_, each) => `alt_${each}`)),
    }),
    a: join('alt_a'),
    b: join('alt_b'),
    left: howManyLeft,
    outcomes: [
      [false, true, 500],
      [true, false, 500],
    ],
  }),
  'is not made due while it is being sent': meeting({
    given: stored(),
    a: claim(now),
    b: makeDue(now + 1),
    left,
    outcomes: [[1, false, ['sending', 1, 1, 90000]]],
  }),
  'is made due while it waits': meeting({
    given: stored({ nextAttemptAt: now + 60_000 }),
    a: claim(now),
    b: makeDue(now),
    left,
    outcomes: [
      [undefined, true, ['pending', 0, 0, 0]],
      [1, true, ['sending', 1, 1, 90000]],
    ],
  }),
  'is made due once': meeting({
    given: stored({ nextAttemptAt: now + 60_000 }),
    a: makeDue(now),
    b: makeDue(now + 1),
    left,
    outcomes: [
      [true, false, ['pending', 0, 0, 0]],
      [true, true, ['pending', 0, 0, 0]],
    ],
  }),
  'is made due by one of two in the same millisecond': meeting({
    given: stored({ nextAttemptAt: now + 60_000 }),
    a: makeDue(now),
    b: makeDue(now),
    left,
    outcomes: [
      [true, false, ['pending', 0, 0, 0]],
      [false, true, ['pending', 0, 0, 0]],
    ],
  }),
  'is replayed once': meeting({
    given: stored({ status: 'failed', attempts: 7 }),
    a: replay(now),
    b: replay(now + 1),
    left,
    outcomes: [
      [false, true, ['pending', 0, 0, 1]],
      [true, false, ['pending', 0, 0, 0]],
    ],
  }),
  'is not replayed while it is being sent': meeting({
    given: stored(),
    a: send(now, fail),
    b: replay(now + 1),
    left,
    outcomes: [
      [true, false, ['failed', 1, 1, 0]],
      [true, true, ['pending', 1, 0, 1]],
    ],
  }),
  'is not replayed once it was sent': meeting({
    given: claimed,
    a: end(finish),
    b: replay(now + 1),
    left,
    outcomes: [[true, false, ['sent', 1, 1, 0]]],
  }),
  'takes no alerts while it waits for its second attempt': meeting({
    given: async (stores) => {
      await stored()(stores);
      await send(now, retry)(stores);
    },
    a: join('alt_1'),
    b: join('alt_2'),
    left: alertsLeft,
    outcomes: [[false, false, ['pending', ['alt_0']]]],
  }),
});
