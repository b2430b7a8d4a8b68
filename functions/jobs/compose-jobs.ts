// Builds the worker of jobs from stores, queues and the marketplace: for the function and for tests.
import { createLookUpEvent } from '#functions/api/events/look-up-event.ts';
import { createCatalogSearch } from '#functions/api/events/search-catalog.ts';
import { createSearchEvents } from '#functions/api/events/search-events.ts';
import { createSendJob } from '#functions/api/jobs/send-job.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import type { MarketplaceClient } from '#shared/marketplace/client.ts';
import { type JobKind, jobKinds } from '#shared/watchlist/job.ts';
import type { JobDeps, OpenJob } from './job-kind.ts';
import { jobKindRows } from './job-kinds.ts';
import { createRunJob } from './run-job.ts';

interface JobParts extends Omit<JobDeps, 'loadHistory' | 'searchEvents' | 'lookUpEvent'> {
  readMarketplace: () => Promise<Pick<MarketplaceClient, 'searchPage' | 'statsPage'>>;
}

/** @returns what the kinds of jobs need. */
export function composeJobDeps(parts: JobParts): JobDeps {
  const { stores, readMarketplace, pullCaps, now } = parts;
  const catalog = createCatalogSearch(stores.catalog, now);
  return {
    ...parts,
    loadHistory: createLoadHistory(stores),
    searchEvents: createSearchEvents({ stores, catalog, readMarketplace, now }),
    lookUpEvent: createLookUpEvent({ stores, catalog, readMarketplace, pullCaps }),
  };
}

/** @returns the use case that carries a job out. */
export function composeJobs(deps: JobDeps) {
  const open = Object.fromEntries(
    jobKinds.map((kind) => [kind, jobKindRows[kind](deps)]),
  ) as Record<JobKind, OpenJob>;
  const { jobs } = deps.stores;
  return createRunJob({ jobs, open, sendJob: createSendJob(deps.sendJobs) });
}
