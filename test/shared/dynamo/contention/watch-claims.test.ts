import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

const claim = { ownerId: 'own_1', question: 'q', watchId: 'wat_0', claimedAt: now };
const claimFor =
  (watchId: string, claimedAt = now) =>
  ({ watchClaims }: Stores, before?: typeof claim | undefined) =>
    watchClaims.claim({ ...claim, watchId, claimedAt }, before);
const claimed = async (stores: Stores) => {
  await claimFor('wat_0')(stores);
  return claim;
};
const claimLeft = async ({ watchClaims }: Stores) => {
  const found = await watchClaims.find('own_1', 'q');
  return found && [found.watchId, found.claimedAt - now];
};

describeMeetings('the claim of a question', {
  'goes to one watch': meeting({
    given: async () => undefined,
    a: claimFor('wat_1'),
    b: claimFor('wat_2'),
    left: claimLeft,
    outcomes: [
      [false, true, ['wat_2', 0]],
      [true, false, ['wat_1', 0]],
    ],
  }),
  'is taken over by one watch': meeting({
    given: claimed,
    a: claimFor('wat_1'),
    b: claimFor('wat_2'),
    left: claimLeft,
    outcomes: [
      [false, true, ['wat_2', 0]],
      [true, false, ['wat_1', 0]],
    ],
  }),
  'is not taken over once it was renewed': meeting({
    given: claimed,
    a: claimFor('wat_0', now + 5),
    b: claimFor('wat_2', now + 9),
    left: claimLeft,
    outcomes: [
      [false, true, ['wat_2', 9]],
      [true, false, ['wat_0', 5]],
    ],
  }),
  'is released by the watch that has it': meeting({
    given: claimed,
    a: claimFor('wat_1'),
    b: ({ watchClaims }) => watchClaims.release(claim),
    left: claimLeft,
    outcomes: [
      [false, undefined, undefined],
      [true, undefined, ['wat_1', 0]],
    ],
  }),
});
