// A bad neighbour costs nothing: damaged items and odd rows of the market beside watches that are well.
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { badNeighbours, expectUnharmed, oddOnesPerEvent } from '#test/support/bad-neighbours.ts';

/** Fixed, so that a failure of CI can be repeated; look for more with other seeds. */
const seed = 1;
const events = 5;

describe(`a watch on an event with ${oddOnesPerEvent} damaged ones and odd zones`, () => {
  it('is told as it is told alone, at the same times, and each odd one works or says why not', {
    timeout: 3_600_000,
  }, async () => {
    await fc.assert(fc.asyncProperty(badNeighbours, expectUnharmed), {
      ...{ numRuns: events, seed },
      endOnFailure: true,
    });
  });
});
