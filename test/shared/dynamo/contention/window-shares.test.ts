import type { Stores } from '#shared/dynamo/stores.ts';
import type { WindowUse } from '#shared/dynamo/window-shares.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const counted = async (stores: Stores) => {
  await stores.windowShares.add(await stores.windowShares.read('search', 60), 'own_0');
  return stores.windowShares.read('search', 60);
};
const add = (ownerId: string) => (stores: Stores, before: WindowUse) =>
  stores.windowShares.add(before, ownerId);
const callsLeft = async ({ windowShares }: Stores) => {
  const { total, byOwner } = await windowShares.read('search', 60);
  return [total, Object.keys(byOwner).sort()];
};

describeMeetings('the share of a window', {
  'counts one of two first calls of the same reading': meeting({
    given: ({ windowShares }) => windowShares.read('search', 60),
    a: add('own_1'),
    b: add('own_2'),
    left: callsLeft,
    outcomes: [
      [true, false, [1, ['own_1']]],
      [false, true, [1, ['own_2']]],
    ],
  }),
  'counts one of two later calls of the same reading': meeting({
    given: counted,
    a: add('own_1'),
    b: add('own_2'),
    left: callsLeft,
    outcomes: [
      [true, false, [2, ['own_0', 'own_1']]],
      [false, true, [2, ['own_0', 'own_2']]],
    ],
  }),
});
