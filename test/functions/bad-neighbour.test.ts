// A bad neighbour costs nothing: damaged items and odd rows of the market beside watches that are well.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { badNeighbours, expectUnharmed, oddOnesPerEvent } from '#test/support/bad-neighbours.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const events = 10;

let tables: TestTables;
let event = 10_000;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

describe(`a watch on an event with ${oddOnesPerEvent} damaged ones and odd zones`, () => {
  it('is told as it is told alone, at the same times', { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(badNeighbours, async (bad) => {
        event += 1;
        await expectUnharmed(tables, event, bad);
      }),
      { numRuns: events, endOnFailure: true },
    );
  });
});
