// Every kind of job. A kind is one file in kinds/, and a name in shared/watchlist/job.ts.
import type { JobKind } from '#shared/watchlist/job.ts';
import type { JobDeps, OpenJob } from './job-kind.ts';
import { openBulkChange } from './kinds/bulk-change.ts';
import { openDeletion } from './kinds/deletion.ts';
import { openImport } from './kinds/import.ts';

export const jobKindRows: Readonly<Record<JobKind, (deps: JobDeps) => OpenJob>> = {
  bulk_change: openBulkChange,
  import: openImport,
  deletion: openDeletion,
};
