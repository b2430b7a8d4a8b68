import type { Disposition } from '#shared/alerts/disposition.ts';
import type { SuppressionReason } from '#shared/alerts/suppression.ts';
import type { Stores } from '#shared/store/stores.ts';
import type { WindowUse } from '#shared/store/window-shares.ts';
import { anAlert } from '#test/support/alerts.ts';
import { describeMeetings, meeting } from './meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const createAlert = (generation: number) => (stores: Stores) =>
  stores.alerts.create(anAlert({ alertId: 'alt_1', base: generation }));

describeMeetings('an alert', {
  'keeps its first numbers': meeting({
    given: nothing,
    a: createAlert(1),
    b: createAlert(2),
    left: async ({ alerts }) => (await alerts.find('alt_1'))?.base,
    outcomes: [
      [false, true, 2],
      [true, false, 1],
    ],
  }),
});

const place = { alertId: 'alt_1', channelId: 'chn_1' };
const decide = (kind: Disposition['kind'], isNew: boolean) => async (stores: Stores) => {
  const decided = await stores.dispositions.decideOnce({ ...place, isNew }, async () => ({
    ...place,
    ...{ kind, decidedAt: now, dueAt: now },
  }));
  return decided.kind;
};
const decisionsLeft = async ({ dispositions }: Stores) =>
  (await dispositions.ofAlert('alt_1')).map(({ kind }) => kind);

describeMeetings('a disposition', {
  'is decided once': meeting({
    given: nothing,
    a: decide('send', false),
    b: decide('unsent', false),
    left: decisionsLeft,
    outcomes: [
      ['send', 'send', ['send']],
      ['unsent', 'unsent', ['unsent']],
    ],
  }),
  'of a new alert is decided once': meeting({
    given: nothing,
    a: decide('send', true),
    b: decide('unsent', true),
    left: decisionsLeft,
    outcomes: [
      ['send', 'send', ['send']],
      ['unsent', 'unsent', ['unsent']],
    ],
  }),
});

const key = { eventId: 7, kind: 'stats' } as const;
const cursor = (evaluatedThrough: number) =>
  ({ evaluatedThrough, memory: {}, cursorMemory: {} }) as never;
const acquire = (lease: string, at: number) => async (stores: Stores) =>
  (await stores.evaluations.acquire(key, lease, at, at + 1_000))?.lease;
const held = async (stores: Stores) => {
  await stores.evaluations.nudge(key);
  await acquire('x', now)(stores);
};
const advance = (lease: string, through: number) => (stores: Stores) =>
  stores.evaluations.advance(key, lease, cursor(through));
const release = (lease: string, nudges?: number) => (stores: Stores) =>
  stores.evaluations.release(key, lease, nudges);
const evaluationLeft = async ({ evaluations }: Stores) => {
  const found = await evaluations.find(key);
  return found && [found.lease, found.nudges, found.evaluatedThrough];
};

describeMeetings('an evaluation', {
  'is held by one evaluator': meeting({
    given: ({ evaluations }) => evaluations.nudge(key),
    a: acquire('a', now),
    b: acquire('b', now),
    left: evaluationLeft,
    outcomes: [
      ['a', undefined, ['a', 1, undefined]],
      [undefined, 'b', ['b', 1, undefined]],
    ],
  }),
  'advances for the evaluator that holds it': meeting({
    given: held,
    a: advance('x', 5),
    b: async (stores) => {
      await acquire('y', now + 1_000)(stores);
      return advance('y', 3)(stores);
    },
    left: evaluationLeft,
    outcomes: [
      [false, true, ['y', 1, 3]],
      [true, true, ['y', 1, 3]],
    ],
  }),
  'is let go of by the evaluator that holds it': meeting({
    given: held,
    a: release('x'),
    b: acquire('y', now + 1_000),
    left: evaluationLeft,
    outcomes: [
      [false, 'y', ['y', 1, undefined]],
      [true, 'y', ['y', 1, undefined]],
    ],
  }),
  'is not let go of once it was nudged': meeting({
    given: held,
    a: release('x', 1),
    b: ({ evaluations }) => evaluations.nudge(key),
    left: evaluationLeft,
    outcomes: [
      [false, undefined, ['x', 2, undefined]],
      [true, undefined, [undefined, 2, undefined]],
    ],
  }),
  'is let go of by its own lease with its nudges': meeting({
    given: held,
    a: release('x', 1),
    b: acquire('y', now + 1_000),
    left: evaluationLeft,
    outcomes: [
      [false, 'y', ['y', 1, undefined]],
      [true, 'y', ['y', 1, undefined]],
    ],
  }),
});

const take = (stores: Stores) =>
  stores.tallies.take({ name: 'cap', startsAt: now, endsAt: now + 60_000, ceiling: 1 });

describeMeetings('a tally', {
  'gives its last place once': meeting({
    given: nothing,
    a: take,
    b: take,
    left: nothing,
    outcomes: [
      [false, true, undefined],
      [true, false, undefined],
    ],
  }),
});

const bounce = (feedbackId: string) => (stores: Stores) =>
  stores.suppressions.countSoftBounce('A@x.test', feedbackId, now);
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
});

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
