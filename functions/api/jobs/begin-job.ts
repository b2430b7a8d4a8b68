// Begins a job: stores the rows of its lots, then the job, then enqueues it. A repeated request has the same job id and
// makes no second job; a job whose message was lost is enqueued by reconcile.
import type { Stores } from '#shared/dynamo/stores.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { type Job, jobKeptSeconds } from '#shared/watchlist/job.ts';
import { createSendJob } from './send-job.ts';

interface BeginJobDeps {
  stores: Pick<Stores, 'jobs'>;
  sendJobs: SendMessages;
}

/** A job that is asked for; `now` is epoch milliseconds. */
export interface WantedJob extends Pick<Job, 'jobId' | 'ownerId' | 'kind'> {
  options?: Record<string, unknown>;
  /** Where the first lot begins, for kinds without input. */
  cursor?: unknown;
  /** The rows of each lot; none for a kind without input. */
  lots?: readonly (readonly unknown[])[];
  /** Rows in all. @default those of the lots */
  total?: number;
  /** Whether a worker is told of the job at once; otherwise the request carries it out. @default true */
  isEnqueued?: boolean;
  now: number;
}

export type BeginJob = (wanted: WantedJob) => Promise<Job>;

/** Lots that are stored together. */
const lotsAtOnce = 25;

/** @returns the use case. @throws LotTooLargeError */
export function createBeginJob({ stores: { jobs }, sendJobs }: BeginJobDeps): BeginJob {
  const sendJob = createSendJob(sendJobs);

  return async function beginJob({ options = {}, lots = [], total, isEnqueued = true, ...wanted }) {
    const { jobId, ownerId, kind, cursor, now } = wanted;
    const job: Job = {
      ...{ jobId, ownerId, kind, state: 'queued', options, cursor },
      ...{ inputLots: lots.length, total: total ?? lots.flat().length },
      ...{ done: 0, counts: {}, lots: 0, idleRuns: 0, createdAt: now, updatedAt: now },
      expiresAtEpochSeconds: Math.ceil(now / 1_000) + jobKeptSeconds,
    };
    await inLots([...lots.entries()], lotsAtOnce, ([lot, rows]) =>
      jobs.putRows({ jobId, part: 'input', lot }, rows, job),
    );
    const isNew = await jobs.create(job);
    const stored = isNew ? job : ((await jobs.find(jobId)) ?? job);
    if (isEnqueued) await sendJob(stored);
    return stored;
  };
}
