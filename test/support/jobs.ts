// The worker of jobs over the tables of an API, for tests that begin jobs by requests.
import { composeJobs } from '#functions/jobs/compose-jobs.ts';
import type { JobDeps } from '#functions/jobs/job-kind.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import { costliest } from '#shared/polling/assumptions.ts';
import type { Job } from '#shared/watchlist/job.ts';
import { type Api, startMs } from './api.ts';

/** A job that has not begun. */
export function aJob(also: Partial<Job> = {}): Job {
  return {
    ...{ jobId: `job_${'1'.repeat(32)}`, ownerId: 'own_1', kind: 'import', state: 'queued' },
    ...{ options: {}, inputLots: 4, total: 16, done: 0, counts: {}, lots: 0, idleRuns: 0 },
    ...{ createdAt: startMs, updatedAt: startMs, expiresAtEpochSeconds: 2_000_000_000 },
    ...also,
  };
}

/** What jobs need, over the stores of an API; `also` replaces some. */
export function jobDepsOf(api: Api, also: Partial<JobDeps> = {}): JobDeps {
  return {
    stores: api.stores,
    loadHistory: createLoadHistory(api.stores),
    searchEvents: async () => ({ events: [], source: 'marketplace', readAt: startMs }),
    lookUpEvent: async () => ({ pulls: 0 }),
    pullCaps: { daily: 500, monthly: 10_000 },
    assumptions: costliest,
    sendNudges: async (messages) => {
      api.nudges.push(...messages.map(({ body }) => body));
    },
    sendJobs: async (messages) => {
      api.jobs.push(...messages.map(({ body }) => body as { jobId: string }));
    },
    now: () => api.clock.now,
    ...also,
  };
}

let runs = 0;

/** Carries out what waits in the queue of jobs; a run has time for `lots` lots. @returns the runs' results. */
export async function drainJobs(api: Api, also: Partial<JobDeps> = {}, lots = 1_000) {
  const runJob = composeJobs(jobDepsOf(api, also));
  const results = [];
  for (let message = api.jobs.shift(); message; message = api.jobs.shift()) {
    let left = lots;
    const remainingMs = () => {
      left -= 1;
      return left > 0 ? 60_000 : 0;
    };
    runs += 1;
    results.push(await runJob(message, `run ${runs}`, { now: () => api.clock.now, remainingMs }));
  }
  return results;
}
