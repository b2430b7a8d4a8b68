// A bad neighbour costs nothing: damaged items, odd settings and odd rows of the market beside watches that are
// well.
import { describe, it } from 'vitest';
import { expectAllUnharmed, oddOnesPerEvent } from '#test/support/bad-neighbours.ts';

const events = 5;

describe(`a watch on an event with ${oddOnesPerEvent} damaged or odd ones and odd zones`, () => {
  it(
    'is told as it is told alone, at the same times, and each odd one works or says why not',
    {
      timeout: 3_600_000,
    },
    () => expectAllUnharmed(events),
  );
});
