// Undoes what a run did to one watch, unless a later change replaced it.
import type { Stores } from '#shared/dynamo/stores.ts';
import { type ChangeMark, changedByWords } from '#shared/watchlist/changed-by.ts';
import { idsFrom, madeAt } from '#shared/watchlist/id.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { ChangeWatch } from '../change-watch.ts';
import type { RestoreDeleted } from '../restore-deleted.ts';
import type { Restored, RestoreVersion } from '../restore-version.ts';

interface UndoWatchDeps {
  stores: Pick<Stores, 'watchVersions'>;
  changeWatch: Pick<ChangeWatch, 'remove'>;
  restoreVersion: RestoreVersion;
  restoreDeleted: RestoreDeleted;
}

/** The watch after the undo, or why it is skipped. */
export type UndoOutcome = Restored | { skipped: string };

export function createUndoWatch({
  stores,
  changeWatch,
  restoreVersion,
  restoreDeleted,
}: UndoWatchDeps) {
  /**
   * @param runId the run that is undone; `mark` names the undo.
   * @throws ProblemError as a restore does.
   */
  return async function undoWatch(
    watch: Watch,
    runId: string,
    mark: ChangeMark,
  ): Promise<UndoOutcome> {
    const { watchId, version, changedBy } = watch;
    if (changedBy?.runId !== runId) {
      const author = changedBy ? ` ${changedByWords(changedBy)}` : '';
      return { skipped: `it was changed since${author}` };
    }
    const before = await stores.watchVersions.find(watchId, version - 1, mark.now);
    if (!before) return { skipped: 'the version before it is no longer kept' };
    if (watch.removedAt !== undefined) return restoreDeleted(watch, mark);
    if (before.removedAt !== undefined) {
      return { watch: await changeWatch.remove(watch, mark), leftOut: [] };
    }
    const undoId = mark.by.runId ?? runId;
    const makeId = idsFrom(`${undoId}/${watchId}`, madeAt(undoId));
    return restoreVersion(watch, version - 1, makeId, mark);
  };
}

export type UndoWatch = ReturnType<typeof createUndoWatch>;
