import { shardOf } from '#shared/dynamo/shard.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

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
const advanced = async (stores: Stores) => {
  await held(stores);
  await advance('x', 5)(stores);
};
const behindLeft = async ({ evaluationsBehind }: Stores) => {
  const found = await evaluationsBehind.list(shardOf('7'), now + 60_000, 10);
  return found.map(({ eventId }) => eventId);
};
const noteLate = (observedAt: number) => (stores: Stores) =>
  stores.evaluations.noteLate(key, observedAt);
const ofShard = { ...key, shard: 3 };
const shardLeft = async ({ evaluations }: Stores) => {
  const found = await evaluations.find(ofShard);
  return [found?.shard, found?.lease, found?.nudges, found?.evaluatedThrough, found?.lateFrom];
};
const lateLeft = async ({ evaluations }: Stores) => {
  const found = await evaluations.find(key);
  return [found?.lateFrom, found?.lateCount];
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
  'counts the first nudges of both': meeting({
    given: async () => {},
    a: ({ evaluations }) => evaluations.nudge(key),
    b: ({ evaluations }) => evaluations.nudge(key),
    left: evaluationLeft,
    outcomes: [[undefined, undefined, [undefined, 2, undefined]]],
  }),
  'stays behind where snapshots came while it was let go of': meeting({
    given: async (stores) => {
      await stores.evaluations.markBehind(key, now);
      await acquire('x', now)(stores);
    },
    a: release('x', 1),
    b: ({ evaluations }) => evaluations.markBehind(key, now + 1_000),
    left: behindLeft,
    outcomes: [
      [false, undefined, [7]],
      [true, undefined, [7]],
    ],
  }),
  'is behind no longer once a run has seen all that was stored': meeting({
    given: async (stores) => {
      await stores.evaluations.markBehind(key, now);
      await acquire('x', now)(stores);
    },
    a: release('x', 1),
    b: acquire('y', now + 500),
    left: behindLeft,
    outcomes: [
      [true, undefined, []],
      [true, 'y', []],
    ],
  }),
  'of another shard is held beside it': meeting({
    given: held,
    a: release('x', 1),
    b: async ({ evaluations }) =>
      (await evaluations.acquire(ofShard, 'y', now, now + 1_000))?.lease,
    left: shardLeft,
    outcomes: [[true, 'y', [3, 'y', 0, undefined, undefined]]],
  }),
  'of a new shard begins where the first shard was': meeting({
    given: held,
    a: async ({ evaluations }) => {
      await evaluations.markBehind(ofShard, now, 5);
      await evaluations.noteLate(ofShard, 4);
    },
    b: ({ evaluations }) => evaluations.markBehind(ofShard, now, 6),
    left: shardLeft,
    outcomes: [
      [undefined, undefined, [3, undefined, 2, 5, 4]],
      [undefined, undefined, [3, undefined, 2, 6, 4]],
    ],
  }),
  'of a shard keeps its cursor when it is nudged': meeting({
    given: async ({ evaluations }) => {
      await evaluations.acquire(ofShard, 'x', now, now + 1_000);
    },
    a: ({ evaluations }) => evaluations.advance(ofShard, 'x', cursor(9)),
    b: ({ evaluations }) => evaluations.markBehind(ofShard, now, 6),
    left: shardLeft,
    outcomes: [[true, undefined, [3, 'x', 1, 9, undefined]]],
  }),
  'of a shard stays behind where it was nudged while it was let go of': meeting({
    given: async ({ evaluations }) => {
      await evaluations.markBehind(ofShard, now);
      await evaluations.acquire(ofShard, 'x', now, now + 1_000);
    },
    a: ({ evaluations }) => evaluations.release(ofShard, 'x', 1),
    b: ({ evaluations }) => evaluations.markBehind(ofShard, now + 1_000),
    left: async ({ evaluationsBehind }) =>
      (await evaluationsBehind.list(shardOf('7'), now + 60_000, 10)).map(({ shard }) => shard),
    outcomes: [
      [false, undefined, [3]],
      [true, undefined, [3]],
    ],
  }),
  'goes back to the earlier of two late snapshots': meeting({
    given: advanced,
    a: noteLate(4),
    b: noteLate(3),
    left: lateLeft,
    outcomes: [[undefined, undefined, [3, 2]]],
  }),
  'goes back to nothing before its first run': meeting({
    given: ({ evaluations }) => evaluations.nudge(key),
    a: noteLate(4),
    b: noteLate(3),
    left: lateLeft,
    outcomes: [[undefined, undefined, [undefined, undefined]]],
  }),
  'goes back to a late snapshot that was noted during the run': meeting({
    given: async (stores) => {
      await advanced(stores);
      await noteLate(4)(stores);
    },
    a: ({ evaluations }) => evaluations.clearLate(key, 1),
    b: noteLate(3),
    left: lateLeft,
    outcomes: [[undefined, undefined, [3, 2]]],
  }),
});
