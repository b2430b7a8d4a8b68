// The import of a large file: each lot is compared with the owner's watches and carried out as a small file is.
import { createImportWatchlist } from '#functions/api/watches/import-watchlist.ts';
import { openRow, refusedRows, type StoredRow } from '#functions/api/watches/stored-rows.ts';
import { createWatchlistUse } from '#functions/api/watches/watchlist-use.ts';
import { type ChangedBy, isChangedBy } from '#shared/watchlist/changed-by.ts';
import { countRows } from '#shared/watchlist/job.ts';
import type { JobDeps, OpenJob } from '../job-kind.ts';

/** `options`: `dry_run`, `form`, csv or json, and `by`, who asked. */
export function openImport(deps: JobDeps): OpenJob {
  const { jobs } = deps.stores;
  const importing = createImportWatchlist(deps, createWatchlistUse(deps));

  return function open({ ownerId, options }) {
    const by: ChangedBy = isChangedBy(options.by) ? options.by : { way: 'import' };
    return async function carryOutLot(job, now) {
      const { jobId, lots: lot } = job;
      const stored = (await jobs.readRows({ jobId, part: 'input', lot })) ?? [];
      const rows = (stored as StoredRow[]).map(openRow);
      const { steps, faults } = await importing.plan({ ownerId, rows, now });
      const refused = refusedRows(faults);
      const lines = new Set(refused.map(({ line }) => line));
      const fit = steps.filter(({ line }) => !lines.has(line));
      const done = options.dry_run
        ? importing.foretell(fit)
        : await importing.carryOut(fit, { ownerId, by, seed: jobId, now });
      const results = [...done, ...refused].sort((a, b) => a.line - b.line);
      await jobs.putRows({ jobId, part: 'result', lot }, results, job);
      return {
        ...{ done: rows.length, counts: countRows(results) },
        isFinished: lot + 1 >= job.inputLots,
      };
    };
  };
}
