// Restores a deleted watch under its old id: with its rules, its channels that still exist, and the state of its triggers.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { WatchChanges } from '#shared/dynamo/watch-changes.ts';
import type { WatchClaim } from '#shared/dynamo/watch-claims.ts';
import type { ChangeMark } from '#shared/watchlist/changed-by.ts';
import { defaultsFor } from '#shared/watchlist/owner-defaults.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { restorableUntil } from '#shared/watchlist/watch-version.ts';
import { ProblemError, problem } from '../problem.ts';
import type { Quotas } from '../quotas.ts';
import { createQuestions } from './claim-question.ts';
import type { ReadEventNow } from './current-status.ts';
import { inherit } from './inherited-settings.ts';
import { unsettledAfter } from './next-rules.ts';
import { type RemainingChannels, remainingChannels } from './remaining-channels.ts';
import type { Restored } from './restore-version.ts';
import type { WriteChange } from './write-change.ts';

interface RestoreDeletedDeps {
  stores: Pick<Stores, 'channels' | 'ownerDefaults' | 'watchClaims' | 'watches'>;
  readEventNow: ReadEventNow;
  quotas: Quotas;
  writeChange: WriteChange;
}

/** Whether a deleted watch can still be restored; `now` is epoch milliseconds. */
export function isRestorable(watch: Watch, now: number): boolean {
  const until = restorableUntil(watch);
  return until !== undefined && now < until;
}

export function createRestoreDeleted(deps: RestoreDeletedDeps) {
  const { stores, readEventNow, quotas, writeChange } = deps;
  const questions = createQuestions(stores);

  /** The settings that follow the defaults have changed with them meanwhile. */
  async function currentSettings(watch: Watch): Promise<WatchChanges & RemainingChannels> {
    const defaults = await stores.ownerDefaults.find(watch.ownerId);
    const inherited = inherit(watch, {}, (tags) => defaultsFor(defaults, tags), true);
    const remaining = await remainingChannels(stores, watch.ownerId, { ...watch, ...inherited });
    return { ...inherited, ...remaining };
  }

  /**
   * @param watch a watch that `isRestorable`. A watch without any channel left is restored paused.
   * @throws ProblemError if its event is over, another watch asks the same, there is no room, or another request was first.
   */
  return async function restoreDeleted(watch: Watch, mark: ChangeMark): Promise<Restored> {
    const { ownerId, rules } = watch;
    const { isOver } = await readEventNow(watch.eventId, mark.now);
    if (isOver) throw problem('conflict', 'Its event is over, so the watch can’t be restored');
    const { leftOut, ...settings } = await currentSettings(watch);
    const isMute = settings.channelIds.length === 0;
    const before = watch.statusWhenRemoved ?? 'active';
    const status = isMute && before === 'active' ? 'paused' : before;
    const unsettled = unsettledAfter(watch, rules);
    const own = { removedAt: undefined, statusWhenRemoved: undefined };
    const changes: WatchChanges = { ...settings, ...own, status, unsettled };
    const claim = await questions.claim({ ...watch, ...changes }, mark.now);
    const places = await takePlaces(watch, claim);
    try {
      return { watch: await writeChange(watch, changes, mark), leftOut };
    } catch (error) {
      // The claim stays: the request that was first may have restored the watch.
      if (error instanceof ProblemError && places > 0) await quotas.giveWatch(ownerId, places);
      throw error;
    }
  };

  /**
   * Until its removal is carried through, a deleted watch still counts; if that happens meanwhile, the change is refused.
   * @returns the number of rules that quota was taken for.
   */
  async function takePlaces(watch: Watch, claim: WatchClaim): Promise<number> {
    if (watch.unsettled !== undefined) return 0;
    try {
      await quotas.takeWatch(watch.ownerId, watch.rules.length);
      return watch.rules.length;
    } catch (error) {
      await questions.release(claim);
      throw error;
    }
  }
}

export type RestoreDeleted = ReturnType<typeof createRestoreDeleted>;
