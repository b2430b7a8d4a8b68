// The writes that carry a job on: taken under a lease, saved lot by lot, ended. Each is one conditional write.
import { $add, $remove, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { timing } from '#shared/timing.ts';
import {
  afterLot,
  isOver,
  type Job,
  type JobChanges,
  type JobProgress,
} from '#shared/watchlist/job.ts';
import { writeIf, writeOrReplace } from './conditional-write.ts';
import { type JobEntity, jobReading } from './job-entity.ts';
import { orMissing, updateAndRead } from './stored-items.ts';

/** The part of the job store that workers use, and the owner who cancels. */
export function createJobLeases(jobs: JobEntity) {
  const reading = jobReading(jobs);

  /** Writes under the lease. @returns the job as it is then; undefined if the lease was lost. */
  async function writeHeld(job: Job, changes: JobChanges, also: object = {}) {
    let written: Job | undefined;
    await writeIf(async () => {
      const action = jobs
        .build(UpdateItemCommand)
        .item({ jobId: job.jobId, ...settings(changes), ...also } as never)
        .options({
          returnValues: 'ALL_NEW',
          condition: {
            and: [
              { attr: 'lease', eq: job.lease ?? '' },
              { attr: 'lots', eq: job.lots },
              { attr: 'state', eq: 'running' },
            ],
          },
        });
      written = await updateAndRead(action, reading);
    });
    return written;
  }

  return {
    /**
     * Takes the lease of a job for one run.
     * @returns the job; undefined if it is over, unknown, or held by another run.
     */
    async acquire(jobId: string, lease: string, now: number): Promise<Job | undefined> {
      let held: Job | undefined;
      const leaseUntil = now + timing.jobLeaseMs;
      const write = (idleRuns: ReturnType<typeof $add<1>> | number) => () =>
        writeIf(async () => {
          const action = jobs
            .build(UpdateItemCommand)
            .item({
              ...{ jobId, lease, leaseUntil, state: 'running', updatedAt: now },
              ...{ idleRuns, nextAttemptAt: leaseUntil },
            })
            .options({ returnValues: 'ALL_NEW', condition: isFree(now) as never });
          // A job that can't be parsed can't be carried out; it is reported.
          held = await orMissing(updateAndRead(action, reading));
        });
      await writeOrReplace({ what: 'job', ids: { jobId } }, write($add(1)), write(1));
      return held;
    },

    /** Saves a lot and renews the lease. @returns the job; undefined if the lease was lost. */
    saveLot(job: Job, progress: JobProgress, now: number): Promise<Job | undefined> {
      const changes = afterLot(job, progress, now);
      if (isOver({ state: changes.state ?? job.state })) return writeHeld(job, changes, released);
      const leaseUntil = now + timing.jobLeaseMs;
      return writeHeld(job, { ...changes, leaseUntil }, { nextAttemptAt: leaseUntil });
    },

    /** Ends a run of a job that goes on. @returns false if the lease was lost. */
    async release(job: Job, now: number): Promise<boolean> {
      const changes = { lease: undefined, leaseUntil: undefined, updatedAt: now };
      const nextAttemptAt = now + timing.jobLeaseMs;
      return (await writeHeld(job, changes, { nextAttemptAt })) !== undefined;
    },

    /** Ends a job that can't go on. @returns false if the lease was lost. */
    async fail(job: Job, error: string, now: number): Promise<boolean> {
      const changes: JobChanges = { state: 'failed', error, finishedAt: now, updatedAt: now };
      return (await writeHeld(job, changes, released)) !== undefined;
    },

    /** Ends a job whose owner asked for it, between two lots. @returns the job; undefined if the lease was lost. */
    endCancelled(job: Job, now: number): Promise<Job | undefined> {
      return writeHeld(job, { state: 'cancelled', finishedAt: now, updatedAt: now }, released);
    },

    /**
     * Cancels a job that has not begun. The worker of a running job ends it after the lot that is under way.
     * @returns the job as it is then; undefined if it is over.
     */
    async cancel(jobId: string, now: number): Promise<Job | undefined> {
      let found: Job | undefined;
      const write = (state: 'queued' | 'running', changes: object) =>
        writeIf(async () => {
          const action = jobs
            .build(UpdateItemCommand)
            .item({ jobId, cancelRequestedAt: now, updatedAt: now, ...changes } as never)
            .options({ returnValues: 'ALL_NEW', condition: { attr: 'state', eq: state } });
          found = await updateAndRead(action, reading);
        });
      const ended = { state: 'cancelled', finishedAt: now, ...released };
      if (!(await write('queued', ended))) await write('running', {});
      return found;
    },
  };
}

/** Whether a run may take the job at a time. */
function isFree(now: number): object {
  return {
    and: [
      { attr: 'state', in: ['queued', 'running'] },
      {
        or: [
          { not: { attr: 'leaseUntil', type: 'N' } },
          { attr: 'leaseUntil', lte: now },
          // No run takes such a long lease, so the time is damaged.
          { attr: 'leaseUntil', gt: now + 2 * timing.jobLeaseMs },
        ],
      },
    ],
  };
}

/** What an item loses when its job is over. */
const released = {
  ...{ lease: $remove(), leaseUntil: $remove() },
  ...{ unfinishedShard: $remove(), nextAttemptAt: $remove() },
};

/** Replaces whole values; undefined removes one. */
function settings(changes: JobChanges): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      value === undefined ? $remove() : typeof value === 'object' ? $set(value) : value,
    ]),
  );
}
