// A bad neighbour costs nothing: damaged items, odd settings and odd rows of the market beside watches that are
// well.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badNeighbours, expectUnharmed, oddOnesPerEvent } from '#test/support/bad-neighbours.ts';

/** Fixed, so that a failure of CI can be repeated; look for more with other seeds. */
const seed = 1;
const events = 5;

describe(`a watch on an event with ${oddOnesPerEvent} damaged or odd ones and odd zones`, () => {
  it('is told as it is told alone, at the same times, and each odd one works or says why not', {
    timeout: 3_600_000,
  }, async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(badNeighbours, async (bad) => {
        accepted += (await expectUnharmed(bad)).accepted;
      }),
      { numRuns: events, seed, endOnFailure: true },
    );
    expect(accepted).toBeGreaterThan(events * oddOnesPerEvent);
  });
});
