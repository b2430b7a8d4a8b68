import type { Stores } from '#shared/dynamo/stores.ts';
import type { Job } from '#shared/watchlist/job.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';
import { aJob } from '#test/support/jobs.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const jobId = `job_${'1'.repeat(32)}`;
const nothing = async () => {};
const leaseMs = 90_000;

const job = aJob({ jobId, inputLots: 2, total: 2 });
const create =
  (total: number) =>
  ({ jobs }: Stores) =>
    jobs.create({ ...job, total });
const acquire =
  (lease: string, at = now) =>
  async ({ jobs }: Stores) =>
    (await jobs.acquire(jobId, lease, at)) !== undefined;
const begun = async (stores: Stores) => {
  await create(2)(stores);
  return (await stores.jobs.acquire(jobId, 'a', now)) ?? job;
};
const save =
  (isFinished: boolean) =>
  async ({ jobs }: Stores, held: Job) => {
    const counts = { created: 1 };
    return (await jobs.saveLot(held, { done: 1, counts, isFinished }, now)) !== undefined;
  };
const cancel = async ({ jobs }: Stores) => (await jobs.cancel(jobId, now))?.state;
const left = async ({ jobs }: Stores) => {
  const found = await jobs.find(jobId);
  return found && [found.state, found.done, found.lease];
};

describeMeetings('a job', {
  'is made once': meeting({
    given: nothing,
    a: create(5),
    b: create(7),
    left: async ({ jobs }) => (await jobs.find(jobId))?.total,
    outcomes: [
      [true, false, 5],
      [false, true, 7],
    ],
  }),
  'is taken by one run': meeting({
    given: create(2),
    a: acquire('a'),
    b: acquire('b'),
    left,
    outcomes: [
      [true, false, ['running', 0, 'a']],
      [false, true, ['running', 0, 'b']],
    ],
  }),
  'has a lot saved by the run that holds it, or is taken over': meeting({
    given: begun,
    a: save(false),
    b: acquire('b', now + leaseMs),
    left,
    outcomes: [
      // The lease is renewed with the lot, but its time has come for the other run as well.
      [true, true, ['running', 1, 'b']],
      [false, true, ['running', 0, 'b']],
    ],
  }),
  'has each lot saved once': meeting({
    given: begun,
    a: save(false),
    b: save(false),
    left,
    outcomes: [
      [true, false, ['running', 1, 'a']],
      [false, true, ['running', 1, 'a']],
    ],
  }),
  'is cancelled before it begins, or after a lot': meeting({
    given: create(2),
    a: acquire('a'),
    b: cancel,
    left,
    outcomes: [
      [true, 'running', ['running', 0, 'a']],
      [false, 'cancelled', ['cancelled', 0, undefined]],
    ],
  }),
  'ends as done or is asked to end, not both': meeting({
    given: begun,
    a: save(true),
    b: cancel,
    left,
    outcomes: [
      [true, undefined, ['done', 1, undefined]],
      [true, 'running', ['done', 1, undefined]],
    ],
  }),
  'that is asked to end has its last lot saved': meeting({
    given: begun,
    a: save(false),
    b: cancel,
    left,
    outcomes: [[true, 'running', ['running', 1, 'a']]],
  }),
  'fails only under its lease': meeting({
    given: begun,
    a: ({ jobs }, held) => jobs.fail(held, 'broken', now),
    b: acquire('b', now + leaseMs),
    left,
    outcomes: [
      [true, false, ['failed', 0, undefined]],
      [false, true, ['running', 0, 'b']],
    ],
  }),
  'is released only under its lease': meeting({
    given: begun,
    a: ({ jobs }, held) => jobs.release(held, now),
    b: acquire('b', now + leaseMs),
    left,
    outcomes: [
      [true, true, ['running', 0, 'b']],
      [false, true, ['running', 0, 'b']],
    ],
  }),
});
