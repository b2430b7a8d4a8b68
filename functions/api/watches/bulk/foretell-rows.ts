// Says what a bulk change would do to each watch, and what that does to the cost. Writes nothing.
import { inLots } from '#shared/lambda/in-lots.ts';
import type { RowResult } from '#shared/watchlist/job.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { ProblemError } from '../../problem.ts';
import type { Difference } from '../watch-differences.ts';
import type { BulkAction } from './bulk-actions.ts';
import type { BulkCost, ChangedWatch } from './bulk-cost.ts';
import type { BulkRow } from './bulk-run.ts';
import type { PlanWatch } from './plan-watch.ts';

/** The result of a row in a dry run. */
export interface ForetoldRow extends RowResult {
  changes: Difference[];
}

interface ForetellDeps {
  /** @throws ProblemError */
  readWatch: (id: string) => Promise<Watch>;
  planWatch: PlanWatch;
  readBulkCost: (changed: readonly ChangedWatch[]) => Promise<BulkCost>;
}

/** Watches that are planned together. */
const watchesAtOnce = 50;

/** `now` is epoch milliseconds. */
export async function foretellRows(
  { readWatch, planWatch, readBulkCost }: ForetellDeps,
  { rows, action, now }: { rows: readonly BulkRow[]; action: BulkAction; now: number },
): Promise<{ rows: ForetoldRow[]; cost: BulkCost }> {
  const changed: ChangedWatch[] = [];

  async function foretell({ line, id }: BulkRow): Promise<ForetoldRow> {
    const refused = { line, id, outcome: 'refused', changes: [] };
    try {
      const before = await readWatch(id);
      const planned = await planWatch(before, action, now);
      const { detail } = planned;
      if (planned.kind === 'refused' || planned.kind === 'unchanged') {
        return { ...refused, outcome: planned.kind, detail };
      }
      changed.push({ before, after: planned.after });
      const changes = planned.kind === 'change' ? planned.differences : [];
      return { line, id, outcome: 'would_change', detail, changes };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return { ...refused, detail: error.detail };
    }
  }

  const foretold = await inLots(rows, watchesAtOnce, foretell);
  return { rows: foretold, cost: await readBulkCost(changed) };
}
