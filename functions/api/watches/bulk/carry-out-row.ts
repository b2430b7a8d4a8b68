// Carries a bulk change out on one watch, from the version that the run has planned. A repeat finds the version that
// the first try made, changes nothing more and reports the same.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChangeMark } from '#shared/watchlist/changed-by.ts';
import type { RowResult } from '#shared/watchlist/job.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { ProblemError } from '../../problem.ts';
import type { ChangeWatch } from '../change-watch.ts';
import {
  differencesBetween,
  differenceWords,
  type TitleOf,
  type WatchContent,
} from '../watch-differences.ts';
import type { BulkWork, PlannedRow } from './bulk-run.ts';
import type { PlanWatch } from './plan-watch.ts';
import type { UndoWatch } from './undo-watch.ts';

interface CarryOutRowDeps {
  stores: Pick<Stores, 'watchVersions'>;
  /** A watch of the owner, deleted ones too. @throws ProblemError */
  readWatch: (id: string) => Promise<Watch>;
  changeWatch: Pick<ChangeWatch, 'carryOut' | 'remove'>;
  planWatch: PlanWatch;
  undoWatch: UndoWatch;
  titleOf: TitleOf;
}

type Done = Pick<RowResult, 'outcome' | 'detail'>;

const metAnother: Done = {
  outcome: 'refused',
  detail: 'another request changed it at the same time; nothing was changed here',
};

/** @returns the result of a row; `mark.by.runId` is the run. A refusal stays with its row. */
export function createCarryOutRow(deps: CarryOutRowDeps) {
  const { stores, readWatch, changeWatch, planWatch, undoWatch, titleOf } = deps;

  return async function carryOutRow(
    { line, id, version }: PlannedRow,
    work: BulkWork,
    mark: ChangeMark,
  ): Promise<RowResult> {
    return { line, id, ...(await done(id, version, { work, mark })) };
  };

  async function done(
    id: string,
    version: number | null,
    { work, mark }: { work: BulkWork; mark: ChangeMark },
  ): Promise<Done> {
    try {
      const watch = await readWatch(id);
      if (watch.version !== version) return await doneBefore(watch, version, mark);
      return await change(watch, work, mark);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.type !== 'stale-version') return { outcome: 'refused', detail: error.detail };
      return doneBefore(await readWatch(id), version, mark);
    }
  }

  async function change(watch: Watch, work: BulkWork, mark: ChangeMark): Promise<Done> {
    if ('undoes' in work) return undo(watch, work.undoes, mark);
    if (watch.removedAt !== undefined) return { outcome: 'refused', detail: 'it is deleted' };
    const planned = await planWatch(watch, work.action, mark.now);
    if (planned.kind === 'delete') await changeWatch.remove(watch, mark);
    else if (planned.kind === 'change') await changeWatch.carryOut(watch, planned.plan, mark);
    else return { outcome: planned.kind, detail: planned.detail };
    return { outcome: 'changed', detail: planned.detail };
  }

  async function undo(watch: Watch, runId: string, mark: ChangeMark): Promise<Done> {
    const outcome = await undoWatch(watch, runId, mark);
    if ('skipped' in outcome) return { outcome: 'skipped', detail: outcome.skipped };
    if (outcome.watch.version === watch.version) return { outcome: 'unchanged', detail: null };
    const { leftOut } = outcome;
    const note = leftOut.length === 0 ? [] : [`channels that are gone: ${leftOut.join(', ')}`];
    const words = [wordsOf(watch, outcome.watch), ...note].join('; ');
    return { outcome: 'changed', detail: words };
  }

  /** The row has another version than the run has planned: an earlier try of the run made it, or another request. */
  async function doneBefore(
    watch: Watch,
    planned: number | null,
    { by, now }: ChangeMark,
  ): Promise<Done> {
    if (planned === null) return metAnother;
    const find = (version: number) => stores.watchVersions.find(watch.watchId, version, now);
    const made = watch.version === planned + 1 ? watch : await find(planned + 1);
    if (!made || made.changedBy?.runId !== by.runId) return metAnother;
    const before = await find(planned);
    return { outcome: 'changed', detail: before ? wordsOf(before, made) : null };
  }

  function wordsOf(before: WatchContent, after: WatchContent): string {
    return differenceWords(differencesBetween(before, after, titleOf));
  }
}
