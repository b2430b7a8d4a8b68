import type { Stores } from '#shared/store/stores.ts';
import type { WatchChanges } from '#shared/store/watches.ts';
import type { Owner } from '#shared/watchlist/owner.ts';
import { noDefaults, type OwnerDefaults } from '#shared/watchlist/owner-defaults.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { describeMeetings, meeting } from './meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const at = '2026-03-01T00:00:00Z';
const aWatch: Watch = {
  ...{ watchId: 'wat_1', ownerId: 'own_1', version: 1, status: 'active', eventId: 7 },
  ...{ rules: [], channelIds: [], latencySeconds: 60, createdAt: at, updatedAt: at },
};
const createWatch = (changes: Partial<Watch>) => (stores: Stores) =>
  stores.watches.create({ ...aWatch, ...changes });
const watched = async ({ watches }: Stores) => {
  await watches.create(aWatch);
  return aWatch;
};
const change = (changes: WatchChanges) => async (stores: Stores, watch: Watch) =>
  (await stores.watches.change(watch, changes, now))?.version;
const watchLeft = async ({ watches }: Stores) => {
  const found = await watches.find('wat_1');
  return found && [found.version, found.status, found.latencySeconds];
};

describeMeetings('a watch', {
  'is made once': meeting({
    given: nothing,
    a: createWatch({ latencySeconds: 60 }),
    b: createWatch({ latencySeconds: 90 }),
    left: watchLeft,
    outcomes: [
      [false, true, [1, 'active', 90]],
      [true, false, [1, 'active', 60]],
    ],
  }),
  'takes one of two changes of the same version': meeting({
    given: watched,
    a: change({ status: 'paused' }),
    b: change({ latencySeconds: 90 }),
    left: watchLeft,
    outcomes: [
      [undefined, 2, [2, 'active', 90]],
      [2, undefined, [2, 'paused', 60]],
    ],
  }),
  'is not settled for a change that it has had since': meeting({
    given: async (stores) => {
      await watched(stores);
      return (
        (await stores.watches.change(aWatch, { unsettled: { feeds: [], triggerIds: [] } }, now)) ??
        aWatch
      );
    },
    a: (stores, watch) => stores.watches.settled(watch),
    b: change({ latencySeconds: 90, unsettled: { feeds: [], triggerIds: ['trg_1'] } }),
    left: async ({ watches }) => (await watches.find('wat_1'))?.unsettled,
    outcomes: [
      [false, 3, { feeds: [], triggerIds: ['trg_1'] }],
      [true, 3, { feeds: [], triggerIds: ['trg_1'] }],
    ],
  }),
  'stays removed when it is changed': meeting({
    given: watched,
    a: ({ watches }) => watches.remove('wat_1'),
    b: change({ latencySeconds: 90 }),
    left: watchLeft,
    outcomes: [
      [true, undefined, undefined],
      [true, 2, undefined],
    ],
  }),
  'is removed once': meeting({
    given: watched,
    a: ({ watches }) => watches.remove('wat_1'),
    b: ({ watches }) => watches.remove('wat_1'),
    left: watchLeft,
    outcomes: [
      [false, true, undefined],
      [true, false, undefined],
    ],
  }),
});

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

const keepFacts = (name: string, updatedAt: number) => (stores: Stores) =>
  stores.eventFacts.keep({ eventId: 7, name, updatedAt });

describeMeetings('the facts of an event', {
  'are the newest': meeting({
    given: nothing,
    a: keepFacts('old', now),
    b: keepFacts('new', now + 1),
    left: async ({ eventFacts }) => (await eventFacts.find(7))?.name,
    outcomes: [
      [false, true, 'new'],
      [true, true, 'new'],
    ],
  }),
  'are those that came first of the same time': meeting({
    given: nothing,
    a: keepFacts('a', now),
    b: keepFacts('b', now),
    left: async ({ eventFacts }) => (await eventFacts.find(7))?.name,
    outcomes: [
      [false, true, 'b'],
      [true, false, 'a'],
    ],
  }),
});
