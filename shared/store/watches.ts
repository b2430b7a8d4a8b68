// Watches in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { string } from 'dynamodb-toolbox/schema';
import { type Watch, watchSchema } from '#shared/watchlist/watch.ts';
import { ownerIndexPage, type PageRequest } from './owner-index.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of watches. */
export function createWatchStore(table: WatchlistTable) {
  const watches = new Entity({
    name: 'watch',
    table,
    timestamps: false,
    schema: watchSchema.and({ ownerKey: string(), ownerSort: string() }),
    computeKey: ({ watchId }) => ({ pk: `WATCH#${watchId}`, sk: 'WATCH' }),
  });

  return {
    async find(watchId: string): Promise<Watch | undefined> {
      const found = await watches
        .build(GetItemCommand)
        .key({ watchId })
        .options({ consistent: true })
        .send();
      return found.Item;
    },

    async create(watch: Watch): Promise<void> {
      await watches
        .build(PutItemCommand)
        .item({ ...watch, ownerKey: `${watch.ownerId}#watch`, ownerSort: watch.watchId })
        .options({ condition: { attr: 'watchId', exists: false } })
        .send();
    },

    /** Removes a watch; removing it twice is the same as once. */
    async remove(watchId: string): Promise<void> {
      await watches.build(DeleteItemCommand).key({ watchId }).send();
    },

    list: (ownerId: string, page: PageRequest) =>
      ownerIndexPage<Watch & { ownerSort: string }>(table, watches, `${ownerId}#watch`, page),
  };
}

export type WatchStore = ReturnType<typeof createWatchStore>;
