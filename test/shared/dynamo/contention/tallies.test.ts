import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from './meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const take = (stores: Stores) =>
  stores.tallies.take({ name: 'cap', startsAt: now, endsAt: now + 60_000, ceiling: 1 });

describeMeetings('a tally', {
  'gives its last place once': meeting({
    given: nothing,
    a: take,
    b: take,
    left: nothing,
    outcomes: [
      [false, true, undefined],
      [true, false, undefined],
    ],
  }),
});
