// Builds the use cases of the watchlist; several routes share them.

import { UnreadableItemError } from '#shared/dynamo/stored-items.ts';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { restorableUntil } from '#shared/watchlist/watch-version.ts';
import type { ApiDeps } from '../api-deps.ts';
import { notFound, problem } from '../problem.ts';
import { createQuotas, type Quotas } from '../quotas.ts';
import { createAddWatch } from './add-watch.ts';
import { createChangeWatch } from './change-watch.ts';
import { type CurrentWatch, createCurrentStatus, createReadEventNow } from './current-status.ts';
import { createOpenWatch } from './open-watch.ts';
import { createPresentState, type PresentStateReader } from './present-state.ts';
import { createReadTroubles } from './read-troubles.ts';
import { isRestorable } from './restore-deleted.ts';
import { createReadStatus } from './watch-status.ts';
import { createWriteChange } from './write-change.ts';

/** What the use cases are made of. */
export type WatchlistDeps = Pick<
  ApiDeps,
  'stores' | 'loadHistory' | 'sendNudges' | 'lookUpEvent' | 'quotas' | 'now'
>;

/** Parts that many rows share. */
interface SharedParts {
  quotas?: Quotas;
  presentState?: PresentStateReader;
}

/** Every use case that the watch routes need. */
export function createWatchlistUse(
  deps: WatchlistDeps,
  { quotas = createQuotas(deps), presentState = createPresentState(deps) }: SharedParts = {},
) {
  const { stores, sendNudges } = deps;
  const readTroubles = createReadTroubles({ stores, presentState });
  const applyWatchChange = createApplyWatchChange(stores);
  const addWatch = createAddWatch({ stores, presentState, sendNudges });
  const writeChange = createWriteChange({ ...deps, applyWatchChange });
  const withCurrentStatus = createCurrentStatus(stores);

  /** A badly damaged watch is missing from lists; a request by its id tells the owner why. */
  async function findReadable(watchId: string, ownerId: string): Promise<Watch | undefined> {
    try {
      return await stores.watches.find(watchId);
    } catch (error) {
      if (!(error instanceof UnreadableItemError)) throw error;
      const { raw } = error;
      const isOwners = raw.ownerId === ownerId || raw.ownerKey === `${ownerId}#watch`;
      if (isOwners) throw unreadableWatch(watchId);
      return undefined;
    }
  }

  return {
    presentState,
    withCurrentStatus,
    readEventNow: createReadEventNow(stores),
    quotas,
    openWatch: createOpenWatch({ ...deps, addWatch, quotas }),
    writeChange,
    changeWatch: createChangeWatch({ stores, presentState, writeChange, quotas }),
    readTroubles,
    standing: createReadStatus({ stores, presentState, readTroubles }),

    /** An owner's watch. @throws ProblemError, the same for a missing watch and another owner's. */
    async owned(watchId: string, ownerId: string): Promise<Watch> {
      const watch = await findReadable(watchId, ownerId);
      if (watch?.ownerId !== ownerId) throw notFound('watch');
      if (watch.removedAt === undefined) return watch;
      throw deletedWatch(watch);
    },

    /** An owner's watch, or a deleted one that can still be restored. @throws ProblemError as `owned` does. */
    async ownedOrDeleted(watchId: string, ownerId: string, now: number): Promise<Watch> {
      const watch = await findReadable(watchId, ownerId);
      if (watch?.ownerId !== ownerId) throw notFound('watch');
      if (watch.removedAt !== undefined && !isRestorable(watch, now)) throw notFound('watch');
      return watch;
    },

    /** A watch with its status at a time, epoch milliseconds. */
    async current(watch: Watch, now: number): Promise<CurrentWatch> {
      const [as = { ...watch, facts: undefined }] = await withCurrentStatus([watch], now);
      return as;
    },
  };
}

function deletedWatch(watch: Watch) {
  const until = new Date(restorableUntil(watch) ?? 0).toISOString();
  const way = `POST /v1/watches/${watch.watchId}/restore brings it back until ${until}`;
  return problem('not-found', `This watch was deleted; ${way}`);
}

function unreadableWatch(watchId: string) {
  return problem(
    'stored-unreadable',
    `The stored watch ${watchId} is damaged, so it can be neither shown nor changed. Make the watch again with POST /v1/watches, or tell the operator; the cause is in the logs`,
  );
}

export type WatchlistUse = ReturnType<typeof createWatchlistUse>;
