import type { Stores } from '#shared/dynamo/stores.ts';
import type { Owner } from '#shared/watchlist/owner.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const nothing = async () => {};

const anOwner: Owner = { ownerId: 'own_1', name: 'a', createdAt: '2026-03-01T00:00:00Z' };
const createOwner = (name: string) => (stores: Stores) =>
  stores.access.createOwner({ ...anOwner, name });
const changeOwner = (timeZone: string) => (stores: Stores, before: Owner | undefined) =>
  stores.access.changeOwner('own_1', { timeZone }, before);
const ownerLeft = async ({ access }: Stores) => {
  const found = await access.findOwner('own_1');
  return found && [found.name, found.timeZone, found.revision];
};

describeMeetings('an owner', {
  'is made once': meeting({
    given: nothing,
    a: createOwner('a'),
    b: createOwner('b'),
    left: ownerLeft,
    outcomes: [
      [false, true, ['b', undefined, undefined]],
      [true, false, ['a', undefined, undefined]],
    ],
  }),
  'takes one of two first changes': meeting({
    given: async (stores) => {
      await createOwner('a')(stores);
      return anOwner;
    },
    a: changeOwner('Europe/Paris'),
    b: changeOwner('America/New_York'),
    left: ownerLeft,
    outcomes: [
      [false, true, ['a', 'America/New_York', 1]],
      [true, false, ['a', 'Europe/Paris', 1]],
    ],
  }),
  'takes one of two later changes': meeting({
    given: async (stores) => {
      await createOwner('a')(stores);
      await changeOwner('UTC')(stores, undefined);
      return stores.access.findOwner('own_1');
    },
    a: changeOwner('Europe/Paris'),
    b: changeOwner('America/New_York'),
    left: ownerLeft,
    outcomes: [
      [false, true, ['a', 'America/New_York', 2]],
      [true, false, ['a', 'Europe/Paris', 2]],
    ],
  }),
  'is not made by a change': meeting({
    given: async () => undefined,
    a: changeOwner('Europe/Paris'),
    b: changeOwner('America/New_York'),
    left: ownerLeft,
    outcomes: [[false, false, undefined]],
  }),
});
