// Watches in the Watchlist table, and the index of those whose last change is not yet carried through.

import { Entity, type FormattedItem } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $remove, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { UpdateAttributesCommand } from 'dynamodb-toolbox/entity/actions/updateAttributes';
import { number, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { timing } from '#shared/timing.ts';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { writeIf } from './conditional-write.ts';
import { ownerIndexPage, type PageRequest } from './owner-index.ts';
import { watchSchema } from './schemas/watch-schema.ts';
import { shardKey, shardOf } from './shard.ts';
import { readAll, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import { readUnfinished } from './unfinished.ts';
import { damagedVersion, watchReading } from './watch-reading.ts';

const unsettled = 'watch';

/** What a change may set; undefined removes an attribute. */
export type WatchChanges = Partial<Omit<Watch, 'watchId' | 'ownerId' | 'version'>>;

/** Reads and writes of watches. */
export function createWatchStore(table: WatchlistTable) {
  const watches = new Entity({
    name: 'watch',
    table,
    timestamps: false,
    schema: watchSchema.and({
      ownerKey: string().optional(),
      ownerSort: string().optional(),
      unfinishedShard: string().optional(),
      nextAttemptAt: number().optional(),
    }),
    computeKey: ({ watchId }) => ({ pk: `WATCH#${watchId}`, sk: 'WATCH' }),
  });
  const reading = watchReading<FormattedItem<typeof watches>>();
  /** The version condition; for a watch with a damaged version, that it is still damaged. */
  const isVersion = ({ version }: Watch) =>
    version === damagedVersion
      ? ({ not: { attr: 'version', type: 'N' } } as const)
      : ({ attr: 'version', eq: version } as const);

  return {
    find(watchId: string): Promise<Watch | undefined> {
      const action = watches.build(GetItemCommand).key({ watchId }).options({ consistent: true });
      return readOne(action, reading);
    },

    /** @returns false when the watch exists already: the same request was carried out before. */
    create(watch: Watch): Promise<boolean> {
      return writeIf(() =>
        watches
          .build(PutItemCommand)
          .item({ ...watch, ownerKey: `${watch.ownerId}#watch`, ownerSort: watch.watchId })
          .options({ condition: { attr: 'watchId', exists: false } })
          .send(),
      );
    },

    /**
     * Changes a watch as it was read, and leaves its other attributes. If the change is `unsettled`,
     * the watch is in the index of unsettled changes from a minute after `now` (epoch ms); a removed one leaves its
     * owner's list at once.
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
            ...(changes.removedAt && { ownerKey: $remove(), ownerSort: $remove() }),
          } as never)
          .options({ condition: isVersion(watch) })
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

    /** Watches of one shard whose change should have been carried through by now (epoch ms). */
    unsettled(shard: number, now: number, limit: number): Promise<Watch[]> {
      const part = { name: unsettled, shard, before: now, limit };
      return readUnfinished({ table, entity: watches }, part, reading);
    },

    /** Deletes a watch permanently. @returns false when it no longer existed. */
    remove(watchId: string): Promise<boolean> {
      return writeIf(() =>
        watches
          .build(DeleteItemCommand)
          .key({ watchId })
          .options({ condition: { attr: 'watchId', exists: true } })
          .send(),
      );
    },

    list: (ownerId: string, page: PageRequest) =>
      ownerIndexPage(table, watches, `${ownerId}#watch`, page, reading),

    /** Every watch of an owner, the newest first. */
    async listAll(ownerId: string): Promise<Watch[]> {
      const query = table
        .build(QueryCommand)
        .query({ index: 'owner', partition: `${ownerId}#watch` })
        .options({ reverse: true });
      return readAll(query, watches, reading);
    },
  };
}

/** The update value: an attribute set to undefined is removed. */
function removals(changes: WatchChanges): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value === undefined ? $remove() : value]),
  );
}

export type WatchStore = ReturnType<typeof createWatchStore>;
