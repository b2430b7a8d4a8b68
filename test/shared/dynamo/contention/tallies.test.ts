import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const take = (ceiling: number, places?: number) => (stores: Stores) =>
  stores.tallies.take({ name: 'cap', startsAt: now, endsAt: now + 60_000, ceiling }, places);

describeMeetings('a tally', {
  'gives its last place once': meeting({
    given: nothing,
    a: take(1),
    b: take(1),
    left: nothing,
    outcomes: [
      [false, true, undefined],
      [true, false, undefined],
    ],
  }),
  'gives both of its first two places': meeting({
    given: nothing,
    a: take(2),
    b: take(2),
    left: take(2),
    outcomes: [[true, true, false]],
  }),
  'counts the places that both take': meeting({
    given: nothing,
    a: take(20, 10),
    b: take(20, 1),
    left: ({ tallies }) => tallies.count({ name: 'cap', startsAt: now }),
    outcomes: [[true, true, 11]],
  }),
});
