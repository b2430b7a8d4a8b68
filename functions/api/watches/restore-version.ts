// Restores an earlier version of a watch: makes a new version with the content of the old one.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChangeMark } from '#shared/watchlist/changed-by.ts';
import type { IdKind } from '#shared/watchlist/id.ts';
import { feedsWantedBy, type Watch } from '#shared/watchlist/watch.ts';
import { mostVersions, type WatchVersion } from '#shared/watchlist/watch-version.ts';
import { notFound, problem } from '../problem.ts';
import type { ChangeWatch, PlannedChange } from './change-watch.ts';
import { earlierRules } from './next-rules.ts';
import { remainingChannels } from './remaining-channels.ts';
import { differencesBetween } from './watch-differences.ts';

interface RestoreVersionDeps {
  stores: Pick<Stores, 'channels' | 'watchVersions'>;
  changeWatch: Pick<ChangeWatch, 'carryOut'>;
}

/** A restored watch, and the ids of its former channels that no longer exist. */
export interface Restored {
  watch: Watch;
  leftOut: string[];
}

type MakeId = (kind: IdKind) => string;

export function createRestoreVersion({ stores, changeWatch }: RestoreVersionDeps) {
  /** @throws ProblemError for a version that is not kept, is damaged, or is the deletion of the watch. */
  async function find(watch: Watch, version: number, now: number): Promise<WatchVersion> {
    const isListed = version < watch.version && version > watch.version - mostVersions;
    const found = isListed
      ? await stores.watchVersions.find(watch.watchId, version, now)
      : undefined;
    if (found?.ownerId !== watch.ownerId) throw notFound('version of this watch');
    if (found.setAside !== undefined && Object.keys(found.setAside).length > 0) {
      const names = Object.keys(found.setAside).join(', ');
      throw problem('stored-unreadable', `The stored version ${version} is damaged: ${names}`);
    }
    if (found.removedAt !== undefined) {
      throw problem('conflict', `Version ${version} is the deletion of the watch; restore another`);
    }
    return found;
  }

  return async function restoreVersion(
    watch: Watch,
    version: number,
    makeId: MakeId,
    mark: ChangeMark,
  ): Promise<Restored> {
    if (version === watch.version) return { watch, leftOut: [] };
    const earlier = await find(watch, version, mark.now);
    const { leftOut, ...remaining } = await remainingChannels(stores, watch.ownerId, earlier);
    // If all of its channels are gone, the watch keeps those that it has now.
    const channels = remaining.channelIds.length > 0 ? remaining : { channelIds: watch.channelIds };
    const plan = planOf(watch, withoutPastSnooze(earlier, mark.now), { channels, makeId });
    if (differencesBetween(watch, { ...watch, ...plan.changes }, String).length === 0) {
      return { watch, leftOut };
    }
    return { watch: await changeWatch.carryOut(watch, plan, mark), leftOut };
  };
}

export type RestoreVersion = ReturnType<typeof createRestoreVersion>;

/** A snooze that is over would be told as one that lasts. */
function withoutPastSnooze(earlier: WatchVersion, now: number): WatchVersion {
  const { snoozedUntil, ...others } = earlier;
  const isOver = snoozedUntil !== undefined && snoozedUntil <= now;
  return isOver ? others : earlier;
}

function planOf(
  watch: Watch,
  earlier: WatchVersion,
  { channels, makeId }: { channels: Partial<Watch>; makeId: MakeId },
): PlannedChange {
  const { name, tags, status, bought, snoozedUntil, latencySeconds, inherits } = earlier;
  const rules = earlierRules(watch, earlier.rules, makeId);
  const settings = { name, tags, status, bought, snoozedUntil, latencySeconds, inherits };
  const changes = { ...settings, ...channels, rules };
  const isOther = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
  const isDeep =
    isOther(rules, watch.rules) ||
    isOther(feedsWantedBy(watch), feedsWantedBy({ ...watch, ...changes }));
  return { changes, isDeep };
}
