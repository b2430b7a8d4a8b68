import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const add = ({ requestCounts }: Stores) => requestCounts.add('key_1', 60);

describeMeetings('the requests of a key in a window', {
  'are counted one by one': meeting({
    given: async () => {},
    a: add,
    b: add,
    left: add,
    outcomes: [
      [1, 2, 3],
      [2, 1, 3],
    ],
  }),
  'are counted apart for each window': meeting({
    given: add,
    a: add,
    b: ({ requestCounts }) => requestCounts.add('key_1', 120),
    left: add,
    outcomes: [[2, 1, 3]],
  }),
});
