// What a kind of jobs is, and what it needs: that of the API, because a job does what the API does.
import type { ApiDeps } from '#functions/api/api-deps.ts';
import type { Job, JobProgress } from '#shared/watchlist/job.ts';

export type JobDeps = Pick<
  ApiDeps,
  | 'stores'
  | 'loadHistory'
  | 'searchEvents'
  | 'lookUpEvent'
  | 'pullCaps'
  | 'assumptions'
  | 'sendNudges'
  | 'sendJobs'
  | 'quotas'
  | 'now'
>;

/**
 * Carries out the next lot of a job, number `job.lots`, within a few seconds. A lot may be carried out twice, after a
 * crash even by two workers at a time: the second must change nothing more and report the same results.
 * @param now epoch milliseconds.
 */
export type CarryOutLot = (job: Job, now: number) => Promise<JobProgress>;

/** Begins a run of a job; what the lots of a run share is read once and kept here. */
export type OpenJob = (job: Job) => CarryOutLot;
