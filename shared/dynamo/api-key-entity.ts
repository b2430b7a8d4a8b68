// How an API key is stored in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { string } from 'dynamodb-toolbox/schema';
import { apiKeySchema } from './schemas/api-key-schema.ts';
import type { WatchlistTable } from './tables.ts';

/** The entity that the store's parts share. */
export function createApiKeyEntity(table: WatchlistTable) {
  return new Entity({
    name: 'apiKey',
    table,
    timestamps: false,
    schema: apiKeySchema.and({ ownerKey: string(), ownerSort: string() }),
    computeKey: ({ hash }) => ({ pk: `APIKEY#${hash}`, sk: 'APIKEY' }),
  });
}

export type ApiKeyEntity = ReturnType<typeof createApiKeyEntity>;
