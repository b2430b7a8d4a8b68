import { reservationKey } from '#shared/polling/budget.ts';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';
import {
  describePollingMeetings,
  meeting,
  type PollingStores,
} from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const dayMs = 86_400_000;
const midnight = now + 12 * 3_600_000;
/** Past the end of the day. */
const lapse = now + 13 * 3_600_000;
const key = reservationKey(lapse, 'stats');
const plenty = { daily: 100, monthly: 1_000 };
const period = { start: now - dayMs, end: now + 20 * dayMs };

const nothing = async () => {};
const reserve =
  (wanted: number, caps = plenty, at = now) =>
  ({ budget }: PollingStores) =>
    budget.reserve({ key, wanted, caps }, at);
const settle =
  (reserved: number, spent: number) =>
  ({ budget }: PollingStores) =>
    budget.commitReservation(key, { reserved, spent });
const turn = (at: number) => async (stores: PollingStores) =>
  (await stores.budget.current(at)).dayCommitted;
const begun = ({ budget }: PollingStores) => budget.current(now);
const reserved = (wanted: number) => async (stores: PollingStores) => {
  await stores.budget.reserve({ key, wanted, caps: plenty }, now);
  return begun(stores);
};
const spent = (pulls: number) => async (stores: PollingStores) => {
  await reserve(pulls)(stores);
  await settle(pulls, pulls)(stores);
};
const counted = async (stores: PollingStores) => {
  const before = await begun(stores);
  await stores.budget.recount(before, { daySpent: 5, periodSpent: 8, period });
  return begun(stores);
};
const stretch = (pullPrice: number) => (stores: PollingStores) =>
  stores.budget.setPlan({ pullPrice: pullPrice, learned: priorLearning });

const chargeWithin = (pulls: number) => (stores: PollingStores) =>
  stores.budget.chargeOwnerWithin('2026-03-01', 'own_1', { pulls, most: 5 });

const left = async ({ budget }: PollingStores) => {
  const found = await budget.read();
  return (
    found && {
      day: [found.daySpent, found.dayCommitted],
      period: [found.periodSpent, found.periodCommitted],
      reserved: found.reservations[key],
    }
  );
};
const dayLeft = async ({ budget }: PollingStores) => {
  const found = await budget.read();
  return found && [found.dayStart - now, found.dayCommitted, found.pullPrice];
};

describePollingMeetings('the budget', {
  'gives no more than the cap of the day': meeting({
    given: nothing,
    a: reserve(3, { daily: 4, monthly: 100 }),
    b: reserve(3, { daily: 4, monthly: 100 }),
    left,
    outcomes: [
      [1, 3, { day: [0, 4], period: [0, 4], reserved: 4 }],
      [3, 1, { day: [0, 4], period: [0, 4], reserved: 4 }],
    ],
  }),
  'gives no more than the cap of the month': meeting({
    given: begun,
    a: reserve(3, { daily: 100, monthly: 4 }),
    b: reserve(3, { daily: 100, monthly: 4 }),
    left,
    outcomes: [
      [1, 3, { day: [0, 4], period: [0, 4], reserved: 4 }],
      [3, 1, { day: [0, 4], period: [0, 4], reserved: 4 }],
    ],
  }),
  'gives all that both caps leave': meeting({
    given: begun,
    a: reserve(3, { daily: 6, monthly: 6 }),
    b: reserve(3, { daily: 6, monthly: 6 }),
    left,
    outcomes: [[3, 3, { day: [0, 6], period: [0, 6], reserved: 6 }]],
  }),
  'counts a reservation that meets the end of the day': meeting({
    given: begun,
    a: reserve(2),
    b: turn(midnight),
    left: dayLeft,
    outcomes: [
      [2, 0, [43200000, 2, 0]],
      [2, 2, [43200000, 2, 0]],
    ],
  }),
  'begins a new day after a day whose cap was used up': meeting({
    given: spent(4),
    a: reserve(1, { daily: 4, monthly: 100 }, midnight),
    b: reserve(2, { daily: 4, monthly: 100 }, midnight),
    left,
    outcomes: [[1, 2, { day: [0, 3], period: [4, 7], reserved: 3 }]],
  }),
  'loses no spending when the day ends': meeting({
    given: reserved(2),
    a: settle(1, 1),
    b: turn(midnight),
    left,
    outcomes: [
      [undefined, 1, { day: [0, 1], period: [1, 2], reserved: 1 }],
      [undefined, 2, { day: [1, 2], period: [1, 2], reserved: 1 }],
    ],
  }),
  'counts what is spent of a reservation that lapses': meeting({
    given: reserved(2),
    a: settle(1, 1),
    b: turn(lapse),
    left,
    outcomes: [
      [undefined, 0, { day: [0, 0], period: [1, 1], reserved: undefined }],
      [undefined, 0, { day: [1, 1], period: [1, 1], reserved: undefined }],
      [undefined, 1, { day: [1, 1], period: [1, 1], reserved: undefined }],
    ],
  }),
  'counts the spending of both': meeting({
    given: reserved(2),
    a: settle(1, 1),
    b: settle(1, 0),
    left,
    outcomes: [[undefined, undefined, { day: [1, 1], period: [1, 1], reserved: 0 }]],
  }),
  'counts what is spent beyond the reservation': meeting({
    given: reserved(1),
    a: settle(1, 1),
    b: settle(1, 1),
    left,
    outcomes: [[undefined, undefined, { day: [2, 2], period: [2, 2], reserved: 0 }]],
  }),
  'is not recounted over what was spent meanwhile': meeting({
    given: reserved(2),
    a: settle(1, 1),
    b: ({ budget }, before) => budget.recount(before, { daySpent: 5, periodSpent: 9, period }),
    left,
    outcomes: [
      [undefined, false, { day: [1, 2], period: [1, 2], reserved: 1 }],
      [undefined, true, { day: [6, 7], period: [10, 11], reserved: 1 }],
    ],
  }),
  'is recounted once': meeting({
    given: begun,
    a: ({ budget }, before) => budget.recount(before, { daySpent: 5, periodSpent: 9, period }),
    b: ({ budget }, before) => budget.recount(before, { daySpent: 6, periodSpent: 8, period }),
    left,
    outcomes: [
      [false, true, { day: [6, 6], period: [8, 8], reserved: undefined }],
      [true, false, { day: [5, 5], period: [9, 9], reserved: undefined }],
    ],
  }),
  'is not recounted over what was spent of the period only': meeting({
    given: begun,
    a: ({ budget }, before) => budget.recount(before, { daySpent: 0, periodSpent: 9, period }),
    b: ({ budget }, before) => budget.recount(before, { daySpent: 0, periodSpent: 8, period }),
    left,
    outcomes: [
      [false, true, { day: [0, 0], period: [8, 8], reserved: undefined }],
      [true, false, { day: [0, 0], period: [9, 9], reserved: undefined }],
    ],
  }),
  'is not recounted with what was counted before the period moved': meeting({
    given: begun,
    a: ({ budget }, before) => budget.recount(before, { daySpent: 0, periodSpent: 0, period }),
    b: ({ budget }, before) => budget.recount(before, { daySpent: 0, periodSpent: 8, period }),
    left,
    outcomes: [
      [false, true, { day: [0, 0], period: [8, 8], reserved: undefined }],
      [true, false, { day: [0, 0], period: [0, 0], reserved: undefined }],
    ],
  }),
  'is not recounted over a new day': meeting({
    given: begun,
    a: turn(midnight),
    b: ({ budget }, before) => budget.recount(before, { daySpent: 5, periodSpent: 9, period }),
    left,
    outcomes: [
      [0, false, { day: [0, 0], period: [0, 0], reserved: undefined }],
      [0, true, { day: [0, 0], period: [9, 9], reserved: undefined }],
    ],
  }),
  'keeps the stretch over the end of the day': meeting({
    given: begun,
    a: stretch(40),
    b: turn(midnight),
    left: dayLeft,
    outcomes: [[undefined, 0, [43200000, 0, 40]]],
  }),
  'keeps a stretch and a reservation': meeting({
    given: begun,
    a: stretch(40),
    b: reserve(2),
    left: dayLeft,
    outcomes: [[undefined, 2, [-43200000, 2, 40]]],
  }),
  'has no stretch before there is a budget': meeting({
    given: nothing,
    a: stretch(40),
    b: stretch(50),
    left: dayLeft,
    outcomes: [[undefined, undefined, undefined]],
  }),
  'charges an owner for both': meeting({
    given: nothing,
    a: ({ budget }) => budget.chargeOwner('2026-03-01', 'own_1', 500_000),
    b: ({ budget }) => budget.chargeOwner('2026-03-01', 'own_1', 250_000),
    left: async ({ budget }) => [
      await budget.spentByOwner('2026-03-01', 'own_1'),
      await budget.spentByOwner('2026-03-01', 'own_2'),
      await budget.spentByOwner('2026-03-02', 'own_1'),
    ],
    outcomes: [[undefined, undefined, [0.75, 0, 0]]],
  }),
  'charges an owner no more than the limit': meeting({
    given: ({ budget }) => budget.chargeOwner('2026-03-01', 'own_1', 1_000_000),
    a: chargeWithin(3),
    b: chargeWithin(2),
    left: ({ budget }) => budget.spentByOwner('2026-03-01', 'own_1'),
    outcomes: [
      [true, false, 4],
      [false, true, 3],
    ],
  }),
  'charges an owner all of the limit': meeting({
    given: nothing,
    a: chargeWithin(3),
    b: chargeWithin(2),
    left: ({ budget }) => budget.spentByOwner('2026-03-01', 'own_1'),
    outcomes: [[true, true, 5]],
  }),
  'is not made by its stretch': meeting({
    given: nothing,
    a: stretch(5),
    b: stretch(7),
    left: async ({ budget }) => {
      const before = await budget.read();
      return [before, (await budget.current(now)).pullPrice];
    },
    outcomes: [[undefined, undefined, [undefined, 0]]],
  }),
  'is not recounted over what another recount found of the period': meeting({
    given: counted,
    a: ({ budget }, before) => budget.recount(before, { daySpent: 5, periodSpent: 9, period }),
    b: ({ budget }, before) => budget.recount(before, { daySpent: 5, periodSpent: 7, period }),
    left,
    outcomes: [
      [false, true, { day: [5, 5], period: [7, 7], reserved: undefined }],
      [true, false, { day: [5, 5], period: [9, 9], reserved: undefined }],
    ],
  }),
  'is not recounted over what another recount found of the day': meeting({
    given: counted,
    a: ({ budget }, before) => budget.recount(before, { daySpent: 6, periodSpent: 8, period }),
    b: ({ budget }, before) => budget.recount(before, { daySpent: 4, periodSpent: 8, period }),
    left,
    outcomes: [
      [false, true, { day: [4, 4], period: [8, 8], reserved: undefined }],
      [true, false, { day: [6, 6], period: [8, 8], reserved: undefined }],
    ],
  }),
  'gives what the new day leaves, not what the old one left': meeting({
    given: spent(3),
    a: reserve(3, { daily: 4, monthly: 100 }),
    b: turn(midnight),
    left,
    outcomes: [
      [1, 1, { day: [0, 1], period: [3, 4], reserved: 1 }],
      [3, 0, { day: [0, 3], period: [3, 6], reserved: 3 }],
      [3, 3, { day: [0, 3], period: [3, 6], reserved: 3 }],
    ],
  }),
});
