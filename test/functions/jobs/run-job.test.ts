// A run of a job: lot after lot, one conditional write each; whatever comes twice or dies in between does no harm.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CarryOutLot } from '#functions/jobs/job-kind.ts';
import { createRunJob } from '#functions/jobs/run-job.ts';
import { createResumeJobs } from '#functions/reconcile/resume-jobs.ts';
import { aJob } from '#test/support/jobs.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const startMs = Date.parse('2026-03-01T12:00:00Z');
const lotsInAll = 4;

let tables: TestTables;
let clock: { now: number };
let queue: { jobId: string }[];
let carriedOut: number[];
let jobId: string;
let made = 0;

beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

beforeEach(async () => {
  made += 1;
  jobId = `job_${String(made).padStart(32, '0')}`;
  clock = { now: startMs };
  queue = [];
  carriedOut = [];
  await tables.stores.jobs.create(aJob({ jobId }));
});

/** Lots of four rows, of which one is refused. */
const carryOutLot: CarryOutLot = async ({ lots }) => {
  carriedOut.push(lots);
  return { done: 4, counts: { created: 3, refused: 1 }, isFinished: lots + 1 === lotsInAll };
};

let runs = 0;

/** One run that has time for a number of lots. */
function run(lots = 100, carryOut = carryOutLot) {
  runs += 1;
  let left = lots;
  const remainingMs = () => {
    left -= 1;
    return left > 0 ? 60_000 : 0;
  };
  const runJob = createRunJob({
    jobs: tables.stores.jobs,
    openerOf: async () => () => carryOut,
    sendJob: async (job) => {
      queue.push({ jobId: job.jobId });
    },
  });
  return runJob({ jobId }, `run ${runs}`, { now: () => clock.now, remainingMs });
}

const stored = async () => {
  const found = await tables.stores.jobs.find(jobId);
  if (!found) throw new Error('no job');
  return found;
};
const finished = { state: 'done', done: 16, lots: 4, counts: { created: 12, refused: 4 } };
/** What reconcile enqueues at a time, of this job. */
async function resumed(now: number): Promise<unknown[]> {
  const sent: { jobId: string }[] = [];
  await createResumeJobs(tables.stores.jobs, async (messages) => {
    sent.push(...messages.map(({ body }) => body as { jobId: string }));
  })(now);
  return sent.filter((message) => message.jobId === jobId);
}

describe('a run', () => {
  it('carries out every lot, saves each, and ends the job', async () => {
    expect(await run()).toEqual({ outcome: 'over', lots: 4 });
    expect(await stored()).toMatchObject({ ...finished, finishedAt: startMs, idleRuns: 0 });
    expect((await stored()).lease).toBeUndefined();
    expect(queue).toEqual([]);
  });

  it('enqueues the job again when its time ends, and the next run goes on', async () => {
    expect(await run(3)).toEqual({ outcome: 'continued', lots: 3 });
    expect(await stored()).toMatchObject({ state: 'running', done: 12, lots: 3 });
    expect(queue).toEqual([{ jobId }]);
    expect(await run(3)).toEqual({ outcome: 'over', lots: 1 });
    expect(carriedOut).toEqual([0, 1, 2, 3]);
    expect(await stored()).toMatchObject(finished);
  });

  it('of a job that is over, unknown, or held by another run does nothing', async () => {
    await tables.stores.jobs.acquire(jobId, 'another', clock.now);
    expect(await run()).toEqual({ outcome: 'not_taken', lots: 0 });
    clock.now += 90_000;
    expect(await run()).toEqual({ outcome: 'over', lots: 4 });
    expect(await run()).toEqual({ outcome: 'not_taken', lots: 0 });
    jobId = 'job_unknown';
    expect(await run()).toEqual({ outcome: 'not_taken', lots: 0 });
    expect(carriedOut).toEqual([0, 1, 2, 3]);
  });

  it('that lost its lease saves nothing more', async () => {
    const slow: CarryOutLot = async (job, now) => {
      if (job.lots === 1) {
        clock.now += 90_000;
        await run(1);
      }
      return carryOutLot(job, now);
    };
    expect(await run(100, slow)).toEqual({ outcome: 'lease_lost', lots: 1 });
    expect(carriedOut).toEqual([0, 1, 1]);
    expect(await stored()).toMatchObject({ lots: 2, done: 8 });
  });
});

describe('a worker that dies', () => {
  it('leaves a job that reconcile enqueues when the lease has expired', async () => {
    const killed = tables.stores.jobs.acquire(jobId, 'dead', clock.now);
    expect(await killed).toBeDefined();
    expect(await resumed(clock.now + 89_000)).toEqual([]);
    expect(await resumed(clock.now + 90_000)).toEqual([{ jobId }]);
    clock.now += 90_000;
    expect(await run()).toEqual({ outcome: 'over', lots: 4 });
    expect(await resumed(clock.now + 10 * 86_400_000)).toEqual([]);
  });

  it('before it began, its message lost: reconcile enqueues the job', async () => {
    expect(await resumed(startMs + 90_000)).toEqual([{ jobId }]);
  });

  it('ten times in a row without a saved lot fails the job, which says so', async () => {
    for (let death = 0; death < 10; death += 1) {
      expect(await tables.stores.jobs.acquire(jobId, `dead ${death}`, clock.now)).toBeDefined();
      clock.now += 90_000;
    }
    expect(await run()).toEqual({ outcome: 'failed', lots: 0 });
    expect(await stored()).toMatchObject({
      state: 'failed',
      error: 'It was tried 10 times without success',
    });
    expect(await resumed(clock.now + 10 * 86_400_000)).toEqual([]);
  });
});

describe('a lot that fails', () => {
  it('for a moment is tried again by the queue, and the lots before it stay done', async () => {
    const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    const failing: CarryOutLot = async (job, now) => {
      if (job.lots === 2) throw throttled;
      return carryOutLot(job, now);
    };
    await expect(run(100, failing)).rejects.toThrow('slow down');
    expect(await stored()).toMatchObject({ state: 'running', lots: 2 });
    expect(await run()).toEqual({ outcome: 'over', lots: 2 });
    expect(await stored()).toMatchObject(finished);
  });

  it('for good ends the job with what is wrong in plain words', async () => {
    const failing: CarryOutLot = async () => {
      throw new TypeError('x is not a function');
    };
    expect(await run(100, failing)).toEqual({ outcome: 'failed', lots: 0 });
    expect(await stored()).toMatchObject({
      state: 'failed',
      error: 'An error on our side stopped it; the operator sees the cause',
    });
  });
});

describe('a job that is cancelled', () => {
  it('before its first run ends at once', async () => {
    expect(await tables.stores.jobs.cancel(jobId, clock.now)).toMatchObject({ state: 'cancelled' });
    expect(await run()).toEqual({ outcome: 'not_taken', lots: 0 });
    expect(await resumed(clock.now + 90_000)).toEqual([]);
  });

  it('while it runs ends after the lot that is under way, whose rows count', async () => {
    const cancelling: CarryOutLot = async (job, now) => {
      if (job.lots === 1) await tables.stores.jobs.cancel(jobId, clock.now);
      return carryOutLot(job, now);
    };
    expect(await run(100, cancelling)).toEqual({ outcome: 'over', lots: 2 });
    expect(await stored()).toMatchObject({ state: 'cancelled', done: 8, finishedAt: startMs });
    expect(await tables.stores.jobs.cancel(jobId, clock.now)).toBeUndefined();
  });

  it('after its worker died is ended by the next run', async () => {
    await tables.stores.jobs.acquire(jobId, 'dead', clock.now);
    await tables.stores.jobs.cancel(jobId, clock.now);
    clock.now += 90_000;
    expect(await run()).toEqual({ outcome: 'over', lots: 1 });
    expect(await stored()).toMatchObject({ state: 'cancelled', done: 4 });
  });
});
