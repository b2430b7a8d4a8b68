// A watch as stored in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { number, string } from 'dynamodb-toolbox/schema';
import { watchSchema } from './schemas/watch-schema.ts';
import type { WatchlistTable } from './tables.ts';

export function createWatchEntity(table: WatchlistTable) {
  return new Entity({
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
}

export type WatchEntity = ReturnType<typeof createWatchEntity>;
