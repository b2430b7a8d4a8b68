// Carries a job out: lot after lot, each saved with one conditional write, until the job is over or the time of the
// invocation ends. Then it enqueues itself. A message is only a nudge; the stored job says where to go on.
import type { JobStore } from '#shared/dynamo/jobs.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import { timing } from '#shared/timing.ts';
import {
  isOver,
  type Job,
  type JobKind,
  type JobMessage,
  type JobProgress,
} from '#shared/watchlist/job.ts';
import type { OpenJob } from './job-kind.ts';

/** Runs that may end without a saved lot, one after another, before the job fails: some would end so for ever. */
const mostIdleRuns = 10;

export interface RunResult {
  outcome: 'not_taken' | 'continued' | 'over' | 'failed' | 'lease_lost';
  lots: number;
}

/** The invocation's clock, and the time that is left to it, both in milliseconds. */
export interface RunClock {
  now: () => number;
  remainingMs: () => number;
}

interface RunJobDeps {
  jobs: Pick<JobStore, 'acquire' | 'saveLot' | 'release' | 'fail' | 'endCancelled'>;
  /** How each kind begins a run. */
  openerOf: (kind: JobKind) => Promise<OpenJob>;
  /** Enqueues the job again. */
  sendJob: (job: Pick<Job, 'jobId' | 'ownerId'>, delaySeconds?: number) => Promise<void>;
}

/**
 * The use case. A message that comes twice does no harm: the second run finds the lease taken or the lots saved. After a
 * crash the next run repeats one lot, which finds its rows carried out.
 * @param lease a name that is unique to this run.
 * @throws for a failure that a retry may repair; the job stays as it was after its last lot.
 */
export function createRunJob({ jobs, openerOf, sendJob }: RunJobDeps) {
  return async function runJob(
    { jobId }: JobMessage,
    lease: string,
    clock: RunClock,
  ): Promise<RunResult> {
    const job = await jobs.acquire(jobId, lease, clock.now());
    if (!job) return { outcome: 'not_taken', lots: 0 };
    const first = job.lots;
    const result = (outcome: RunResult['outcome'], { lots }: Job): RunResult => ({
      ...{ outcome, lots: lots - first },
    });
    if (job.idleRuns > mostIdleRuns) {
      await jobs.fail(job, `It was tried ${mostIdleRuns} times without success`, clock.now());
      return result('failed', job);
    }
    let last = job;
    let waitSeconds: number | undefined;
    try {
      const carryOutLot = (await openerOf(job.kind))(job);
      do {
        const progress = await carryOutLot(last, clock.now());
        const saved = await save(last, progress, clock.now());
        if (!saved) return result('lease_lost', last);
        last = saved;
        waitSeconds = progress.waitSeconds;
      } while (
        !isOver(last) &&
        waitSeconds === undefined &&
        clock.remainingMs() > timing.jobReserveMs
      );
    } catch (error) {
      return result(await endRun(last, error, clock.now()), last);
    }
    if (isOver(last)) return result('over', last);
    if (!(await jobs.release(last, clock.now()))) return result('lease_lost', last);
    await sendJob(last, waitSeconds);
    return result('continued', last);
  };

  /** @returns the job after its lot; undefined if the lease was lost. */
  async function save(job: Job, progress: JobProgress, now: number) {
    const saved = await jobs.saveLot(job, progress, now);
    // The owner asked for the end while the lot was under way.
    const isToEnd = saved && !isOver(saved) && saved.cancelRequestedAt !== undefined;
    return isToEnd ? jobs.endCancelled(saved, now) : saved;
  }

  /** A transient failure is repeated; another one would come again at each try. */
  async function endRun(job: Job, error: unknown, now: number): Promise<'failed'> {
    if (isTransient(error)) {
      await jobs.release(job, now);
      throw error;
    }
    const { jobId, kind, lots } = job;
    const reason = `${kind}: ${reasonOf(error)}`;
    reportFault({ thing: 'job', reason, ids: { jobId, kind, lots }, error });
    await jobs.fail(job, 'An error on our side stopped it; the operator sees the cause', now);
    return 'failed';
  }
}
