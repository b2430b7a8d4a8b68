// A bad neighbour costs nothing: damaged items, odd settings and odd rows of the market beside watches that are
// well.
import { describe, it } from 'vitest';
import {
  expectAllUnharmed,
  expectUnharmedBy,
  oddOnesPerEvent,
} from '#test/support/bad-neighbours.ts';
import { sharedItems } from '#test/support/damages.ts';

const events = 100;

describe(`a watch on an event with ${oddOnesPerEvent} damaged or odd ones and odd zones`, () => {
  it(
    'is told as it is told alone, at the same times, and each odd one works or says why not',
    {
      timeout: 3_600_000,
    },
    () => expectAllUnharmed(events),
  );
});

/** At least the values of the item that has most. */
const places = Array.from({ length: 20 }, (_, place) => place);
const cases = places.flatMap((place) =>
  [undefined, -1].map((value) => ({ place, value, minute: (place % 2 === 0 ? 0 : 1) as 0 | 1 })),
);

describe.each(sharedItems)('a watch on an event whose %s', (item) => {
  it.each(cases)(
    'has lost value $place, or has $value there, is told as it is told alone',
    (damage) => expectUnharmedBy({ ...damage, item }),
  );
});
