import type { Stores } from '#shared/dynamo/stores.ts';
import { noDefaults, type OwnerDefaults } from '#shared/watchlist/owner-defaults.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const setDefaults = (latencySeconds: number) => (stores: Stores, before: OwnerDefaults) =>
  stores.ownerDefaults.replace(before, {
    ...before,
    version: before.version + 1,
    all: { latencySeconds },
  });
const defaultsLeft = async ({ ownerDefaults }: Stores) => {
  const { version, all } = await ownerDefaults.find('own_1');
  return [version, all.latencySeconds];
};

describeMeetings("an owner's defaults", {
  'take one of two first changes': meeting({
    given: async () => noDefaults('own_1'),
    a: setDefaults(60),
    b: setDefaults(90),
    left: defaultsLeft,
    outcomes: [
      [false, true, [1, 90]],
      [true, false, [1, 60]],
    ],
  }),
  'take one of two later changes': meeting({
    given: async (stores) => {
      await setDefaults(30)(stores, noDefaults('own_1'));
      return stores.ownerDefaults.find('own_1');
    },
    a: setDefaults(60),
    b: setDefaults(90),
    left: defaultsLeft,
    outcomes: [
      [false, true, [2, 90]],
      [true, false, [2, 60]],
    ],
  }),
});
