// Watches in the Watchlist table, and the index of those whose last change is not carried through yet.

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

/** What a change may set; undefined takes an attribute away. */
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
  /** Of a watch whose stored version is damaged, that it still is. */
  const isVersion = ({ version }: Watch) =>
    version === damagedVersion
      ? ({ not: { attr: 'version', type: 'N' } } as const)
      : ({ attr: 'version', eq: version } as const);

  return {
    find(watchId: string): Promise<Watch | undefined> {
      const action = watches.build(GetItemCommand).key({ watchId }).options({ consistent: true });
      return readOne(action, reading);
    },

    /** @returns false when the watch is there already: the same request was carried out before. */
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
     * Changes a watch as it was read, and touches nothing else of it. Where the change is `unsettled`
     * it is in the index of those from a minute after `now` (epoch ms) on; a removed one leaves its
     * owner's list at once.
     * @returns the watch as it is then; undefined when somebody else changed it since.
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
            // What caused a fault may have changed; one that is still there is met again.
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
     * Notes the fault of one of the watch's triggers, or that it has none any more (undefined). The
     * watch's version stays: nobody changed it.
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

    /** Notes that a watch's last change is carried through. @returns false when it was changed since. */
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

    /** Removes a watch for good. @returns false when it was gone already. */
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

/** An attribute set to undefined is taken away. */
function removals(changes: WatchChanges): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value === undefined ? $remove() : value]),
  );
}

export type WatchStore = ReturnType<typeof createWatchStore>;
