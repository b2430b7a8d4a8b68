import type { Stores } from '#shared/dynamo/stores.ts';
import type { WatchChanges } from '#shared/dynamo/watch-changes.ts';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const at = '2026-03-01T00:00:00Z';
const level = ruleSchema.parse({ type: 'level', metric: 'get_in', at_or_below: 80 });
const rules = [{ ruleId: 'rul_1', rule: level, triggerIds: ['trg_1'] }];
const aWatch: Watch = {
  ...{ watchId: 'wat_1', ownerId: 'own_1', version: 1, status: 'active', eventId: 7 },
  ...{ rules, channelIds: [], latencySeconds: 60, createdAt: at, updatedAt: at },
};
const createWatch = (changes: Partial<Watch>) => (stores: Stores) =>
  stores.watches.create({ ...aWatch, ...changes });
const watched = async ({ watches }: Stores) => {
  await watches.create(aWatch);
  return aWatch;
};
const change = (changes: WatchChanges) => async (stores: Stores, watch: Watch) =>
  (await stores.watches.change(watch, changes, now))?.version;
const noteFault = (triggerId: string) => (stores: Stores) =>
  stores.watches.noteFault('wat_1', triggerId, {
    ...{ reason: 'odd', since: now, times: 1, retryAt: now, release: 'r1' },
  });
const faultsLeft = async ({ watches }: Stores) =>
  Object.keys((await watches.find('wat_1'))?.setAside ?? {}).sort();
const watchLeft = async ({ watches }: Stores) => {
  const found = await watches.find('wat_1');
  return found && [found.version, found.status, found.latencySeconds];
};

const keepAndChange = (changes: WatchChanges) => async (stores: Stores, watch: Watch) => {
  await stores.watchVersions.keep(watch, now);
  return change(changes)(stores, watch);
};
const versionsLeft = async ({ watchVersions }: Stores) => {
  const found = await watchVersions.listBefore('wat_1', 9, { limit: 9, now });
  return found.map(({ version, status, latencySeconds }) => [version, status, latencySeconds]);
};
const unsettled = { feeds: [], triggerIds: [] };
const removed = async (stores: Stores) => {
  const watch = await watched(stores);
  const changes = { status: 'ended', removedAt: at, unsettled } as const;
  return (await stores.watches.change(watch, changes, now)) ?? watch;
};
const restored = ({ watches }: Stores, watch: Watch) =>
  watches.change(watch, { status: 'active', removedAt: undefined, unsettled }, now);
const removalLeft = async ({ watches }: Stores) => {
  const found = await watches.find('wat_1');
  return found && [found.status, found.removedAt !== undefined, found.unsettled !== undefined];
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
  'keeps the first faults of both triggers': meeting({
    given: watched,
    a: noteFault('trg_1'),
    b: noteFault('trg_2'),
    left: faultsLeft,
    outcomes: [[undefined, undefined, ['trg_1', 'trg_2']]],
  }),
  'keeps a fault of one trigger while that of another is cleared': meeting({
    given: async (stores) => {
      await watched(stores);
      await noteFault('trg_1')(stores);
    },
    a: noteFault('trg_2'),
    b: ({ watches }) => watches.noteFault('wat_1', 'trg_1', undefined),
    left: faultsLeft,
    outcomes: [[undefined, undefined, ['trg_2']]],
  }),
  'stays removed when a fault of it is noted': meeting({
    given: watched,
    a: ({ watches }) => watches.remove('wat_1'),
    b: noteFault('trg_1'),
    left: watchLeft,
    outcomes: [[true, undefined, undefined]],
  }),
  'keeps the version before it, whichever of two changes wins': meeting({
    given: watched,
    a: keepAndChange({ status: 'paused' }),
    b: keepAndChange({ latencySeconds: 90 }),
    left: async (stores) => [await watchLeft(stores), await versionsLeft(stores)],
    outcomes: [
      [2, undefined, [[2, 'paused', 60], [[1, 'active', 60]]]],
      [undefined, 2, [[2, 'active', 90], [[1, 'active', 60]]]],
    ],
  }),
  'is retired once': meeting({
    given: removed,
    a: ({ watches }, watch) => watches.settledUntil(watch, now),
    b: ({ watches }, watch) => watches.settledUntil(watch, now),
    left: removalLeft,
    outcomes: [
      [false, true, ['ended', true, false]],
      [true, false, ['ended', true, false]],
    ],
  }),
  'is restored as it was read: before or after its removal is carried through': meeting({
    given: removed,
    a: ({ watches }, watch) => watches.settledUntil(watch, now),
    b: async (stores, watch) => (await restored(stores, watch))?.version,
    left: removalLeft,
    outcomes: [
      [true, undefined, ['ended', true, false]],
      [false, 3, ['active', false, true]],
    ],
  }),
  'is restored once': meeting({
    given: removed,
    a: async (stores, watch) => (await restored(stores, watch))?.version,
    b: async (stores, watch) => (await restored(stores, watch))?.version,
    left: removalLeft,
    outcomes: [
      [3, undefined, ['active', false, true]],
      [undefined, 3, ['active', false, true]],
    ],
  }),
});
