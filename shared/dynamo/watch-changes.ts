// Changes of a watch: by its owner, of its recorded faults, and their completion. Each is one conditional write.
import { $remove, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { UpdateAttributesCommand } from 'dynamodb-toolbox/entity/actions/updateAttributes';
import { timing } from '#shared/timing.ts';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { writeIf } from './conditional-write.ts';
import { shardKey, shardOf } from './shard.ts';
import type { WatchEntity } from './watch-entity.ts';
import { damagedVersion } from './watch-reading.ts';

/** Name of the index part for watches with an unsettled change. */
export const unsettled = 'watch';

/** What a change may set; undefined removes an attribute. */
export type WatchChanges = Partial<Omit<Watch, 'watchId' | 'ownerId' | 'version'>>;

export function createWatchChanges(watches: WatchEntity) {
  /** The version condition; for a watch with a damaged version, that it is still damaged. */
  const isVersion = ({ version }: Watch) =>
    version === damagedVersion
      ? ({ not: { attr: 'version', type: 'N' } } as const)
      : ({ attr: 'version', eq: version } as const);

  /** A removed watch must also be as far removed as it was read: from then on it no longer counts for its owner. */
  const isAsRead = (watch: Watch) =>
    watch.removedAt === undefined
      ? isVersion(watch)
      : { and: [isVersion(watch), { attr: 'unsettled', exists: watch.unsettled !== undefined }] };

  return {
    /**
     * Changes a watch as it was read, and leaves its other attributes. If the change is `unsettled`,
     * the watch is in the index of unsettled changes from a minute after `now` (epoch ms). A removal moves the watch
     * to its owner's list of deleted watches; a `removedAt` of undefined moves it back.
     * @returns the changed watch; undefined when another request changed it since.
     */
    async change(watch: Watch, changes: WatchChanges, now: number): Promise<Watch | undefined> {
      const version = watch.version + 1;
      const { setAside: _gone, ...before } = watch;
      const after = { ...before, ...changes, version };
      const isWritten = await writeIf(() =>
        watches
          .build(UpdateAttributesCommand)
          .item({
            watchId: watch.watchId,
            ...removals(changes),
            version,
            // The change may have fixed earlier faults, so they are removed; a remaining fault is found again.
            setAside: $remove(),
            ...(changes.unsettled && {
              unfinishedShard: shardKey(unsettled, shardOf(watch.watchId)),
              nextAttemptAt: now + timing.changeUnderWayMs,
            }),
            ...('removedAt' in changes && placeInList(watch, changes.removedAt)),
          } as never)
          .options({ condition: isAsRead(watch) as never })
          .send(),
      );
      return isWritten ? after : undefined;
    },

    /**
     * Records the fault of one of the watch's triggers, or its end (undefined). The
     * watch's version stays, because its owner changed nothing.
     */
    async noteFault(
      watchId: string,
      triggerId: string,
      fault: SetAside | undefined,
    ): Promise<void> {
      const first = { attr: 'setAside', exists: false } as const;
      const isThere = { attr: 'watchId', exists: true } as const;
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const noted = writeIf(() =>
          watches
            .build(UpdateItemCommand)
            .item({ watchId, setAside: { [triggerId]: fault ? $set(fault) : $remove() } } as never)
            .options({ condition: { attr: 'setAside', exists: true } })
            .send(),
        );
        if ((await noted) || !fault) return;
        const begun = writeIf(() =>
          watches
            .build(UpdateItemCommand)
            .item({ watchId, setAside: $set({ [triggerId]: fault }) })
            .options({ condition: { and: [isThere, first] } })
            .send(),
        );
        if (await begun) return;
      }
    },

    /** Records that a watch's last change is carried through. @returns false when it was changed since. */
    settled(watch: Watch): Promise<boolean> {
      return writeIf(() =>
        watches
          .build(UpdateAttributesCommand)
          .item({
            watchId: watch.watchId,
            unsettled: $remove(),
            unfinishedShard: $remove(),
            nextAttemptAt: $remove(),
          } as never)
          .options({ condition: isVersion(watch) })
          .send(),
      );
    },

    /**
     * Records that a change is carried through, and puts the watch in the index of unfinished work at `at` (epoch ms):
     * a removed watch when it is to be deleted, a bought one when its event's recap is due.
     * @returns false when it was changed since, or another run has recorded it.
     */
    settledUntil(watch: Watch, at: number): Promise<boolean> {
      const wasUnsettled = { attr: 'unsettled', exists: true } as const;
      return writeIf(() =>
        watches
          .build(UpdateAttributesCommand)
          .item({
            watchId: watch.watchId,
            unsettled: $remove(),
            unfinishedShard: shardKey(unsettled, shardOf(watch.watchId)),
            nextAttemptAt: at,
          } as never)
          .options({
            condition: watch.unsettled
              ? { and: [isVersion(watch), wasUnsettled] }
              : isVersion(watch),
          })
          .send(),
      );
    },
  };
}

/** Where a watch is in its owner's lists: among the watches by its age, or among the deleted ones by their deletion. */
export function placeInList(
  { ownerId, watchId }: Pick<Watch, 'ownerId' | 'watchId'>,
  removedAt: string | undefined,
) {
  if (removedAt === undefined) return { ownerKey: `${ownerId}#watch`, ownerSort: watchId };
  return { ownerKey: `${ownerId}#deletedWatch`, ownerSort: `${removedAt}#${watchId}` };
}

/** The update value: an attribute set to undefined is removed. */
function removals(changes: WatchChanges): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value === undefined ? $remove() : value]),
  );
}
