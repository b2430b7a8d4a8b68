// A bulk change of many watches: each lot does what a small bulk change does within its request.
import { createBulkRun } from '#functions/api/watches/bulk/bulk-lot.ts';
import type { JobDeps, OpenJob } from '../job-kind.ts';

export function openBulkChange(deps: JobDeps): OpenJob {
  const openBulkRun = createBulkRun(deps);
  return function open(job) {
    const { carryOutLot } = openBulkRun(job);
    return async (current, now) => {
      const { results: _stored, ...progress } = await carryOutLot(current, now);
      return progress;
    };
  };
}
