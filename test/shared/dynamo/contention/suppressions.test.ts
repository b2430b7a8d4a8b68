import type { SuppressionReason } from '#shared/delivery/suppression.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const bounce =
  (feedbackId: string, at = now) =>
  (stores: Stores) =>
    stores.suppressions.countSoftBounce('A@x.test', feedbackId, at);
const bouncedFourTimes = async (stores: Stores) => {
  for (const id of ['1', '2', '3', '4']) await bounce(id)(stores);
};
const suppress = (reason: SuppressionReason, at: number) => (stores: Stores) =>
  stores.suppressions.suppress('a@x.test', reason, at);
const suppressed = async (stores: Stores) => {
  await suppress('bounce', now)(stores);
  const found = await stores.suppressions.find('a@x.test');
  if (!found) throw new Error('not suppressed');
  return found;
};
const lifted = async (stores: Stores) => {
  await stores.suppressions.lift(await suppressed(stores), now + 5);
};
const suppressionLeft = ({ suppressions }: Stores) => suppressions.reasonFor('a@x.test');

describeMeetings('a suppression', {
  'counts the same feedback once': meeting({
    given: bouncedFourTimes,
    a: bounce('4'),
    b: bounce('3'),
    left: suppressionLeft,
    outcomes: [[false, false, undefined]],
  }),
  'comes with the last of several bounces': meeting({
    given: async (stores) => {
      for (const id of ['1', '2', '3']) await bounce(id)(stores);
    },
    a: bounce('4'),
    b: bounce('5'),
    left: suppressionLeft,
    outcomes: [
      [false, true, 'soft_bounces'],
      [true, false, 'soft_bounces'],
    ],
  }),
  'is not lifted by a bounce': meeting({
    given: nothing,
    a: bounce('1'),
    b: ({ suppressions }) => suppressions.suppress('a@x.test', 'complaint', now),
    left: suppressionLeft,
    outcomes: [[false, true, 'complaint']],
  }),
  'for a complaint is not turned into one for bounces': meeting({
    given: nothing,
    a: suppress('complaint', now + 1),
    b: suppress('bounce', now + 2),
    left: suppressionLeft,
    outcomes: [
      [true, false, 'complaint'],
      [true, true, 'complaint'],
    ],
  }),
  'is lifted once': meeting({
    given: suppressed,
    a: ({ suppressions }, found) => suppressions.lift(found, now + 5),
    b: ({ suppressions }, found) => suppressions.lift(found, now + 6),
    left: suppressionLeft,
    outcomes: [
      [true, false, undefined],
      [false, true, undefined],
    ],
  }),
  'is not lifted for what came after it was read': meeting({
    given: suppressed,
    a: ({ suppressions }, found) => suppressions.lift(found, now + 9),
    b: suppress('bounce', now + 5),
    left: suppressionLeft,
    outcomes: [
      [true, false, undefined],
      [false, true, 'bounce'],
    ],
  }),
  'is lifted once, also in the moment in which it was made': meeting({
    given: suppressed,
    a: ({ suppressions }, found) => suppressions.lift(found, now),
    b: ({ suppressions }, found) => suppressions.lift(found, now),
    left: suppressionLeft,
    outcomes: [
      [true, false, undefined],
      [false, true, undefined],
    ],
  }),
  'comes back with a bounce from after the lift only': meeting({
    given: lifted,
    a: suppress('bounce', now + 6),
    b: suppress('bounce', now + 5),
    left: suppressionLeft,
    outcomes: [[true, false, 'bounce']],
  }),
  'does not count bounces from before the lift': meeting({
    given: lifted,
    a: async (stores) => {
      for (const id of ['1', '2', '3', '4']) await bounce(id, now + 5)(stores);
    },
    b: bounce('5', now + 6),
    left: suppressionLeft,
    outcomes: [[undefined, false, undefined]],
  }),
});
