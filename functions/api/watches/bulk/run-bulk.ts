// Runs a bulk change: a small one within the request, a larger one as a job. Both are stored as a job, so that a crash is
// resumed by reconcile, and the results and the undo are the same.

import { timing } from '#shared/timing.ts';
import type { ChangedBy } from '#shared/watchlist/changed-by.ts';
import { isOver, type Job, type RowResult } from '#shared/watchlist/job.ts';
import type { ApiDeps } from '../../api-deps.ts';
import type { BeginJob } from '../../jobs/begin-job.ts';
import { createSendJob } from '../../jobs/send-job.ts';
import type { createBulkRun } from './bulk-lot.ts';
import type { BulkOptions, BulkRow, BulkWork } from './bulk-run.ts';

/** Watches that a request changes itself; the document says it. */
export const mostAtOnce = 200;

interface RunBulkDeps extends Pick<ApiDeps, 'stores' | 'sendJobs' | 'now'> {
  /** Stores a job and its rows, and enqueues it. */
  beginJob: BeginJob;
  openBulkRun: ReturnType<typeof createBulkRun>;
}

/** A bulk change that is asked for; a repeated request has the same `jobId`. `now` is epoch milliseconds. */
export interface WantedRun {
  jobId: string;
  ownerId: string;
  lots: readonly (readonly BulkRow[])[];
  work: BulkWork;
  by: ChangedBy;
  isDry: boolean;
  now: number;
}

/** The finished run with its results, or the job that goes on. */
export type RunOutcome = { job: Job; results: RowResult[] } | { job: Job; results: undefined };

export function createRunBulk({
  stores,
  beginJob,
  openBulkRun,
  sendJobs,
  now: clock,
}: RunBulkDeps) {
  const { jobs } = stores;
  const sendJob = createSendJob(sendJobs);

  return async function runBulk(wanted: WantedRun): Promise<RunOutcome> {
    const { jobId, ownerId, lots, work, by, isDry, now } = wanted;
    const options: BulkOptions = { work, by, dry_run: isDry };
    const isLarge = lots.flat().length > mostAtOnce;
    // A repeated request goes on with the watches that the first one found.
    const known = await jobs.find(jobId);
    const asked = { jobId, ownerId, kind: 'bulk_change', options, lots, now } as const;
    const job = known ?? (await beginJob({ ...asked, isEnqueued: isLarge }));
    if (isLarge) return { job, results: undefined };
    const held = await jobs.acquire(jobId, `request ${jobId} ${now}`, now);
    // A repeated request finds the run that the first one began.
    if (!held) return outcomeOf((await jobs.find(jobId)) ?? job);
    return carryOut(held, clock() + timing.importMs);
  };

  /** Lot by lot, as a worker does; what is left when the time ends goes to the queue. */
  async function carryOut(held: Job, endsAt: number): Promise<RunOutcome> {
    const run = openBulkRun(held);
    let job = held;
    while (!isOver(job)) {
      if (clock() >= endsAt) {
        await jobs.release(job, clock());
        await sendJob(job);
        return { job, results: undefined };
      }
      const saved = await jobs.saveLot(job, await run.carryOutLot(job, clock()), clock());
      // A worker has taken the job over.
      if (!saved) return outcomeOf((await jobs.find(job.jobId)) ?? job);
      job = saved;
    }
    return outcomeOf(job);
  }

  async function outcomeOf(job: Job): Promise<RunOutcome> {
    if (job.state !== 'done') return { job, results: undefined };
    const numbers = Array.from({ length: job.lots }, (_, lot) => lot);
    const { jobId } = job;
    const found = await Promise.all(
      numbers.map((lot) => jobs.readRows({ jobId, part: 'result', lot })),
    );
    return { job, results: found.flatMap((rows) => (rows ?? []) as RowResult[]) };
  }
}
