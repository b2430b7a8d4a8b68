// Begins the job that imports a large file, after the checks that need nothing but the file.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChangedBy } from '#shared/watchlist/changed-by.ts';
import type { Job } from '#shared/watchlist/job.ts';
import type { BeginJob } from '../jobs/begin-job.ts';
import { requireRoomForJob } from '../jobs/job-limit.ts';
import { checkForFree } from './free-checks.ts';
import { importFaults } from './import-faults.ts';
import type { ImportFile } from './read-import-file.ts';
import { refusedRows, repeated } from './row-outcome.ts';
import { cutIntoLots, type StoredRow, storeRow } from './stored-rows.ts';

interface BeginImportDeps {
  stores: Pick<Stores, 'jobs' | 'ownerDefaults'>;
  beginJob: BeginJob;
}

interface BeginAsked {
  ownerId: string;
  isDry: boolean;
  by: ChangedBy;
  /** The same in a repeated request. */
  jobId: string;
  /** Epoch milliseconds. */
  now: number;
}

/** @returns the use case. @throws ProblemError for a file with faults; a dry run reports them row by row. */
export function createBeginImport({ stores, beginJob }: BeginImportDeps) {
  return async function beginImport(file: ImportFile, asked: BeginAsked): Promise<Job> {
    const { ownerId, isDry, by, jobId, now } = asked;
    const { rows, form, channels } = file;
    const defaults = await stores.ownerDefaults.find(ownerId);
    const checks = await checkForFree(rows, { ownerId, channels, defaults, now });
    const faults = [...file.faults, ...checks.faults];
    if (faults.length > 0 && !(isDry && rows.length > 0)) throw importFaults(faults);
    await requireRoomForJob(stores, ownerId, jobId);
    const outcomes = refusedRows(faults);
    const lines = new Set(outcomes.map(({ line }) => line));
    const stored = rows
      .filter(({ line }) => !lines.has(line))
      .map((row): StoredRow => {
        const first = checks.repeats.get(row.line);
        // A real import finds the watch of the first row; a dry run makes none.
        const repeats = isDry && first !== undefined;
        return repeats
          ? { outcome: repeated({ line: row.line, first }, undefined) }
          : storeRow(row, form);
      });
    return beginJob({
      ...{ jobId, ownerId, kind: 'import', now },
      options: { by, ...(isDry && { dry_run: true }) },
      lots: cutIntoLots([...stored, ...outcomes.map((outcome) => ({ outcome }))]),
    });
  };
}
