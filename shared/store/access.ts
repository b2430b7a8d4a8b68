// Owners and their API keys in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { type ApiKey, apiKeySchema } from '#shared/watchlist/api-key.ts';
import { type Owner, ownerSchema } from '#shared/watchlist/owner.ts';
import { writeIf } from './conditional-write.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of owners and keys; creating either twice leaves the first as it is. */
export function createAccessStore(table: WatchlistTable) {
  const owners = new Entity({
    name: 'owner',
    table,
    timestamps: false,
    schema: ownerSchema,
    computeKey: ({ ownerId }) => ({ pk: `OWNER#${ownerId}`, sk: 'OWNER' }),
  });
  const apiKeys = new Entity({
    name: 'apiKey',
    table,
    timestamps: false,
    schema: apiKeySchema,
    computeKey: ({ hash }) => ({ pk: `APIKEY#${hash}`, sk: 'APIKEY' }),
  });

  return {
    async findApiKey(hash: string): Promise<ApiKey | undefined> {
      return (await apiKeys.build(GetItemCommand).key({ hash }).send()).Item;
    },

    /** @returns false when the owner is there already. */
    createOwner(owner: Owner): Promise<boolean> {
      return writeIf(() =>
        owners
          .build(PutItemCommand)
          .item(owner)
          .options({ condition: { attr: 'ownerId', exists: false } })
          .send(),
      );
    },

    /** @returns false when the key is there already. */
    createApiKey(apiKey: ApiKey): Promise<boolean> {
      return writeIf(() =>
        apiKeys
          .build(PutItemCommand)
          .item(apiKey)
          .options({ condition: { attr: 'hash', exists: false } })
          .send(),
      );
    },
  };
}

export type AccessStore = ReturnType<typeof createAccessStore>;
