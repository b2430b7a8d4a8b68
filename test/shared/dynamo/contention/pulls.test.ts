import type { Stores } from '#shared/dynamo/stores.ts';
import { pullOf } from '#shared/polling/pull.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const pull = (state: 'settled' | 'unsettled', pulls: number) =>
  pullOf({
    ...{ claim: 'c', eventId: 7, kind: 'stats', pulls, reason: 'r', state, pulledAt: now },
    watches: 1,
  });
const pullsLeft = async (stores: Stores) =>
  (await stores.pulls.ofDay('2026-03-01')).map(({ pulls, state }) => [pulls, state]);

describeMeetings('a pull in the ledger', {
  'stays as it was noted first': meeting({
    given: nothing,
    a: ({ pulls }) => pulls.create(pull('settled', 1)),
    b: ({ pulls }) => pulls.create(pull('unsettled', 2)),
    left: pullsLeft,
    outcomes: [
      [false, true, [[2, 'unsettled']]],
      [true, false, [[1, 'settled']]],
    ],
  }),
  'is corrected while it is unsettled': meeting({
    given: nothing,
    a: ({ pulls }) => pulls.create(pull('unsettled', 1)),
    b: ({ pulls }) => pulls.correct([pull('unsettled', 0)], now),
    left: pullsLeft,
    outcomes: [
      [true, undefined, [[0, 'unsettled']]],
      [true, undefined, [[1, 'unsettled']]],
    ],
  }),
  'is not corrected once it is settled': meeting({
    given: nothing,
    a: ({ pulls }) => pulls.create(pull('settled', 1)),
    b: ({ pulls }) => pulls.correct([pull('settled', 0)], now),
    left: pullsLeft,
    outcomes: [[true, undefined, [[1, 'settled']]]],
  }),
});
