// Builds the worker of jobs from stores, queues and the marketplace: for the function and for tests.
import { composeLookups } from '#functions/api/events/compose-lookups.ts';
import { createSendJob } from '#functions/api/jobs/send-job.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import type { JobKind } from '#shared/watchlist/job.ts';
import type { JobDeps, OpenJob } from './job-kind.ts';
import { jobKindRows } from './job-kinds.ts';
import { createRunJob } from './run-job.ts';

interface JobParts extends Omit<JobDeps, 'loadHistory' | 'searchEvents' | 'lookUpEvent'> {
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'searchPage' | 'statsPage'>>;
}

/** @returns what the kinds of jobs need. */
export function composeJobDeps(parts: JobParts): JobDeps {
  return { ...parts, ...composeLookups(parts) };
}

/** @returns the use case that carries a job out. */
export function composeJobs(deps: JobDeps) {
  const openers = new Map<JobKind, OpenJob>();
  const { jobs } = deps.stores;

  async function openerOf(kind: JobKind): Promise<OpenJob> {
    const open = openers.get(kind) ?? (await jobKindRows[kind]())(deps);
    openers.set(kind, open);
    return open;
  }

  return createRunJob({ jobs, openerOf, sendJob: createSendJob(deps.sendJobs) });
}
