// Every kind of job. A kind is one file in kinds/, loaded at its first job, and a name in shared/watchlist/job.ts.
import type { JobKind } from '#shared/watchlist/job.ts';
import type { JobDeps, OpenJob } from './job-kind.ts';

type MakeOpenJob = (deps: JobDeps) => OpenJob;

export const jobKindRows: Readonly<Record<JobKind, () => Promise<MakeOpenJob>>> = {
  bulk_change: async () => (await import('./kinds/bulk-change.ts')).openBulkChange,
  import: async () => (await import('./kinds/import.ts')).openImport,
  deletion: async () => (await import('./kinds/deletion.ts')).openDeletion,
};
