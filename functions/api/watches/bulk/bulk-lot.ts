// Carries out one lot of a bulk change: plans it once, changes its watches, and stores the results. A request does the
// same as a job. A lot may be carried out twice; the second time changes nothing more.
import { inLots } from '#shared/lambda/in-lots.ts';
import { countRows, type Job, type JobProgress, type RowResult } from '#shared/watchlist/job.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { ProblemError } from '../../problem.ts';
import { readChannelTitles } from '../channel-titles.ts';
import { createLotUse } from '../lot-use.ts';
import { once } from '../once.ts';
import { createRestoreDeleted } from '../restore-deleted.ts';
import { createRestoreVersion } from '../restore-version.ts';
import type { WatchlistDeps } from '../watchlist-use.ts';
import type { BulkAction } from './bulk-actions.ts';
import { type BulkCostJson, bulkCostJson, createReadBulkCost } from './bulk-cost.ts';
import { type BulkRow, bulkOptions, type PlannedRow } from './bulk-run.ts';
import { createCarryOutRow } from './carry-out-row.ts';
import { foretellRows } from './foretell-rows.ts';
import { createPlanWatch } from './plan-watch.ts';
import { createUndoWatch } from './undo-watch.ts';

export type BulkDeps = WatchlistDeps & Pick<ApiDeps, 'assumptions'>;

/** A run as its job has it. */
export type OpenedRun = Pick<Job, 'jobId' | 'ownerId' | 'options'>;

/** Watches that are changed together. */
const watchesAtOnce = 50;

/** @returns a function that begins a run: what its lots share is read once. Every `now` is epoch milliseconds. */
export function createBulkRun(deps: BulkDeps) {
  const { jobs, ownerDefaults } = deps.stores;
  const readBulkCost = createReadBulkCost(deps);

  return function openBulkRun(run: OpenedRun) {
    const { ownerId, jobId } = run;
    const lotUse = createLotUse(deps, ownerId);
    const use = lotUse.change;
    const undoWatch = createUndoWatch({
      ...{ stores: deps.stores, changeWatch: use.changeWatch },
      restoreVersion: createRestoreVersion({ ...deps, changeWatch: use.changeWatch }),
      restoreDeleted: createRestoreDeleted({ ...deps, ...use }),
    });
    const { work, by: key, dry_run: isDry } = bulkOptions(run);
    const by = { ...key, way: 'undoes' in work ? 'undo' : 'bulk', runId: jobId } as const;
    const readShared = once(async () => {
      const [defaults, titleOf] = await Promise.all([
        ownerDefaults.find(ownerId),
        readChannelTitles(deps.stores, ownerId),
      ]);
      return { titleOf, planWatch: createPlanWatch({ ...deps, defaults, titleOf }) };
    });

    async function foretell(rows: readonly BulkRow[], action: BulkAction, now: number) {
      const { planWatch } = await readShared();
      const readWatch = (id: string) => use.owned(id, ownerId);
      return foretellRows({ readWatch, planWatch, readBulkCost }, { rows, action, now });
    }

    /** The first try of a lot decides from which version each watch is changed; a later try goes by that. */
    async function planOf(job: Job, rows: readonly BulkRow[], now: number): Promise<PlannedRow[]> {
      const place = { jobId, part: 'plan', lot: job.lots } as const;
      const stored = await jobs.readRows(place);
      if (stored) return stored as PlannedRow[];
      const planned = await inLots(rows, watchesAtOnce, async (row) => ({
        ...row,
        version: await versionOf(row.id, now),
      }));
      if (await jobs.keepRows(place, planned, job)) return planned;
      return ((await jobs.readRows(place)) ?? planned) as PlannedRow[];
    }

    async function versionOf(id: string, now: number): Promise<number | null> {
      try {
        return (await use.ownedOrDeleted(id, ownerId, now)).version;
      } catch (error) {
        if (error instanceof ProblemError) return null;
        throw error;
      }
    }

    async function carryOut(job: Job, rows: readonly BulkRow[], now: number): Promise<RowResult[]> {
      const { planWatch, titleOf } = await readShared();
      const carryOutRow = createCarryOutRow({
        ...{ stores: deps.stores, changeWatch: use.changeWatch, planWatch, undoWatch, titleOf },
        readWatch: (id) => use.ownedOrDeleted(id, ownerId, now),
      });
      const planned = await planOf(job, rows, now);
      const results = await inLots(planned, watchesAtOnce, (row) =>
        carryOutRow(row, work, { by, now }),
      );
      await lotUse.end();
      return results;
    }

    return {
      foretell,

      /** Carries out lot number `job.lots` and stores its results. */
      async carryOutLot(job: Job, now: number): Promise<JobProgress & { results: RowResult[] }> {
        const lot = job.lots;
        const rows = ((await jobs.readRows({ jobId, part: 'input', lot })) ?? []) as BulkRow[];
        const told = isDry && 'action' in work ? await foretell(rows, work.action, now) : undefined;
        const results =
          told?.rows.map(({ changes: _shown, ...row }) => row) ?? (await carryOut(job, rows, now));
        await jobs.putRows({ jobId, part: 'result', lot }, results, job);
        const earlier = job.summary?.cost as BulkCostJson | undefined;
        return {
          ...{ done: rows.length, counts: countRows(results), results },
          ...(told && { summary: { cost: bulkCostJson(told.cost, earlier) } }),
          isFinished: lot + 1 >= job.inputLots,
        };
      },
    };
  };
}

export type OpenBulkRun = ReturnType<typeof createBulkRun>;
