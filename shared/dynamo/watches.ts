// Watches in the Watchlist table, and the index of those whose last change is not yet carried through.

import type { FormattedItem } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { Watch } from '#shared/watchlist/watch.ts';
import { writeIf } from './conditional-write.ts';
import { ownerIndexPage, type PageRequest } from './owner-index.ts';
import { readAll, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import { readUnfinished } from './unfinished.ts';
import { createWatchChanges, placeInList, unsettled } from './watch-changes.ts';
import { createWatchEntity, type WatchEntity } from './watch-entity.ts';
import { watchReading } from './watch-reading.ts';

/** Reads and writes of watches. */
export function createWatchStore(table: WatchlistTable) {
  const watches = createWatchEntity(table);
  const reading = watchReading<FormattedItem<WatchEntity>>();

  return {
    ...createWatchChanges(watches),

    find(watchId: string): Promise<Watch | undefined> {
      const action = watches.build(GetItemCommand).key({ watchId }).options({ consistent: true });
      return readOne(action, reading);
    },

    /** @returns false when the watch exists already: the same request was carried out before. */
    create(watch: Watch): Promise<boolean> {
      return writeIf(() =>
        watches
          .build(PutItemCommand)
          .item({ ...watch, ...placeInList(watch, undefined) })
          .options({ condition: { attr: 'watchId', exists: false } })
          .send(),
      );
    },

    /**
     * Watches of one shard whose change should have been carried through by now (epoch ms), and deleted ones that can
     * no longer be restored.
     */
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

    /** A page of an owner's deleted watches, the last deleted first. */
    listDeleted: (ownerId: string, page: PageRequest) =>
      ownerIndexPage(table, watches, `${ownerId}#deletedWatch`, page, reading),

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

export type WatchStore = ReturnType<typeof createWatchStore>;
