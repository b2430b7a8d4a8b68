// API keys in the Watchlist table, found by their hash; a second item maps each key's id to its hash.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, string } from 'dynamodb-toolbox/schema';
import type { ApiKey } from '#shared/watchlist/api-key.ts';
import { writeIf } from './conditional-write.ts';
import { ownerIndexPage, type PageRequest } from './owner-index.ts';
import { apiKeySchema } from './schemas/api-key-schema.ts';
import { orMissing, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of keys; a revoked key stays stored, so that its use is refused as revoked. */
export function createApiKeyStore(table: WatchlistTable) {
  const apiKeys = new Entity({
    name: 'apiKey',
    table,
    timestamps: false,
    schema: apiKeySchema.and({ ownerKey: string(), ownerSort: string() }),
    computeKey: ({ hash }) => ({ pk: `APIKEY#${hash}`, sk: 'APIKEY' }),
  });
  const pointers = new Entity({
    name: 'apiKeyPointer',
    table,
    timestamps: false,
    schema: item({ keyId: string().key(), hash: string() }),
    computeKey: ({ keyId }) => ({ pk: `APIKEYID#${keyId}`, sk: 'APIKEYID' }),
  });

  /** A key item that can't be read gives no access. */
  async function findByHash(hash: string): Promise<ApiKey | undefined> {
    const action = apiKeys.build(GetItemCommand).key({ hash }).options({ consistent: true });
    return orMissing(readOne(action));
  }

  return {
    findByHash,

    async find(keyId: string): Promise<ApiKey | undefined> {
      const pointer = await pointers.build(GetItemCommand).key({ keyId }).send();
      return pointer.Item && findByHash(pointer.Item.hash);
    },

    /** @returns false when the key exists already. */
    async create(apiKey: ApiKey): Promise<boolean> {
      const { keyId, hash, ownerId } = apiKey;
      await pointers.build(PutItemCommand).item({ keyId, hash }).send();
      return writeIf(() =>
        apiKeys
          .build(PutItemCommand)
          .item({ ...apiKey, ownerKey: `${ownerId}#apiKey`, ownerSort: keyId })
          .options({ condition: { attr: 'hash', exists: false } })
          .send(),
      );
    },

    /** Records a use, unless one was recorded after `notAfter`; both are ISO times. */
    async noteUse({ hash }: ApiKey, usedAt: string, notAfter: string): Promise<void> {
      await writeIf(() =>
        apiKeys
          .build(UpdateItemCommand)
          .item({ hash, lastUsedAt: usedAt })
          .options({
            condition: {
              or: [
                { attr: 'lastUsedAt', exists: false },
                { attr: 'lastUsedAt', lte: notAfter },
              ],
            },
          })
          .send(),
      );
    },

    /** Revokes a key; a key revoked before keeps its first time. */
    revoke({ hash }: ApiKey, revokedAt: string): Promise<boolean> {
      return writeIf(() =>
        apiKeys
          .build(UpdateItemCommand)
          .item({ hash, revokedAt })
          .options({ condition: { attr: 'revokedAt', exists: false } })
          .send(),
      );
    },

    list: (ownerId: string, page: PageRequest) =>
      ownerIndexPage(table, apiKeys, `${ownerId}#apiKey`, page),
  };
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;
