import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const seats = { ownerId: 'own_1', kind: 'watches' } as const;
const take =
  (wanted: number, most: number, at = now, counted = 0) =>
  ({ quotas }: Stores) =>
    quotas.take({ ...seats, now: at }, { wanted, most }, async () => counted);
const give =
  (places: number) =>
  ({ quotas }: Stores) =>
    quotas.give('own_1', 'watches', places);
/** Takes what is left of five, so that the count shows. */
const placesLeft = async (stores: Stores) => {
  let free = 0;
  while (await take(1, 5)(stores)) free += 1;
  return free;
};
const later = now + 60_000;

describeMeetings('a quota', {
  'gives its last place once': meeting({
    given: take(4, 5),
    a: take(1, 5),
    b: take(1, 5),
    left: placesLeft,
    outcomes: [
      [false, true, 0],
      [true, false, 0],
    ],
  }),
  'gives its first places once': meeting({
    given: nothing,
    a: take(3, 5),
    b: take(3, 5),
    left: placesLeft,
    outcomes: [
      [false, true, 2],
      [true, false, 2],
    ],
  }),
  'gives a place that was given back': meeting({
    given: take(5, 5),
    a: take(1, 5),
    b: give(1),
    left: placesLeft,
    outcomes: [
      [false, undefined, 1],
      [true, undefined, 0],
    ],
  }),
  'takes no more places back than were given': meeting({
    given: take(1, 5),
    a: give(1),
    b: give(1),
    left: placesLeft,
    outcomes: [[undefined, undefined, 5]],
  }),
  'is not recounted over what was given back meanwhile': meeting({
    given: async (stores) => {
      await take(5, 5)(stores);
      return { things: 4 };
    },
    a: (stores, real) =>
      stores.quotas.take({ ...seats, now: later }, { wanted: 1, most: 5 }, async () => real.things),
    b: (stores, real) => {
      real.things -= 2;
      return give(2)(stores);
    },
    left: placesLeft,
    outcomes: [
      [true, undefined, 1],
      [true, undefined, 4],
    ],
  }),
  'is recounted by one': meeting({
    given: take(5, 5),
    a: take(1, 5, later, 3),
    b: take(1, 5, later, 3),
    left: placesLeft,
    outcomes: [[true, true, 0]],
  }),
});
