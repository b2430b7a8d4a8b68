// API keys in the Watchlist table, found by their hash; a second item maps each key's id to its hash.
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { item, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { ApiKey } from '#shared/watchlist/api-key.ts';
import { createApiKeyChanges } from './api-key-changes.ts';
import { createApiKeyEntity } from './api-key-entity.ts';
import { writeIf } from './conditional-write.ts';
import { ownerIndexPage, type PageRequest } from './owner-index.ts';
import { orMissing, readAll, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of keys; a revoked key stays stored, so that its use is refused as revoked. */
export function createApiKeyStore(table: WatchlistTable) {
  const apiKeys = createApiKeyEntity(table);
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

  const hashOf = async (keyId: string) =>
    (await pointers.build(GetItemCommand).key({ keyId }).options({ consistent: true }).send()).Item
      ?.hash;

  return {
    ...createApiKeyChanges(apiKeys, findByHash),
    findByHash,

    async find(keyId: string): Promise<ApiKey | undefined> {
      const hash = await hashOf(keyId);
      return hash === undefined ? undefined : findByHash(hash);
    },

    /**
     * Stores a key. A key with the same id comes from a first try of the same request that died: nobody was
     * told it, so it is removed.
     * @returns false when the key exists already.
     */
    async create(apiKey: ApiKey): Promise<boolean> {
      const { keyId, hash, ownerId } = apiKey;
      const untold = await hashOf(keyId);
      if (untold !== undefined && untold !== hash) {
        await apiKeys.build(DeleteItemCommand).key({ hash: untold }).send();
      }
      await pointers.build(PutItemCommand).item({ keyId, hash }).send();
      return writeIf(() =>
        apiKeys
          .build(PutItemCommand)
          .item({ ...apiKey, ownerKey: `${ownerId}#apiKey`, ownerSort: keyId })
          .options({ condition: { attr: 'hash', exists: false } })
          .send(),
      );
    },

    /** Removes every trace of a key; a repeat changes nothing. */
    async remove({ hash, keyId }: Pick<ApiKey, 'hash' | 'keyId'>): Promise<void> {
      // The key goes last, because its owner's list leads to it.
      await pointers.build(DeleteItemCommand).key({ keyId }).send();
      await apiKeys.build(DeleteItemCommand).key({ hash }).send();
    },

    /** Every key of an owner, also revoked ones; the newest first. */
    listAll(ownerId: string): Promise<ApiKey[]> {
      const query = table
        .build(QueryCommand)
        .query({ index: 'owner', partition: `${ownerId}#apiKey` })
        .options({ reverse: true });
      return readAll(query, apiKeys);
    },

    list: (ownerId: string, page: PageRequest) =>
      ownerIndexPage(table, apiKeys, `${ownerId}#apiKey`, page),
  };
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;
