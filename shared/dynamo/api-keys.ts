// API keys in the Watchlist table, found by their hash; a second item maps each key's id to its hash.
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $get, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { ApiKey } from '#shared/watchlist/api-key.ts';
import { writeIf } from './conditional-write.ts';
import { ownerIndexPage, type PageRequest } from './owner-index.ts';
import { apiKeySchema } from './schemas/api-key-schema.ts';
import { orMissing, readAll, readOne } from './stored-items.ts';
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

  const hashOf = async (keyId: string) =>
    (await pointers.build(GetItemCommand).key({ keyId }).options({ consistent: true }).send()).Item
      ?.hash;

  /** @returns false when the key doesn't exist, or `also` doesn't hold. */
  function change(hash: string, changes: object, also: object[] = []): Promise<boolean> {
    return writeIf(() =>
      apiKeys
        .build(UpdateItemCommand)
        .item({ hash, ...changes, revision: $add(1) } as never)
        .options({ condition: { and: [{ attr: 'hash', exists: true }, ...also] } as never })
        .send(),
    );
  }

  return {
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

    /** Renames a key. @returns false when it was changed since it was read. */
    rename: (before: ApiKey, name: string) => change(before.hash, { name }, [isRevision(before)]),

    /**
     * Records the key that a key was rotated to, and when the old one stops working; a repeat for the same new
     * key changes nothing.
     * @returns false when it was revoked, or rotated to another key.
     */
    async rotate(
      before: ApiKey,
      { rotatedTo, endsAt }: { rotatedTo: string; endsAt: string },
    ): Promise<boolean> {
      const isFree = [
        { attr: 'revokedAt', exists: false },
        { attr: 'rotatedTo', exists: false },
      ];
      if (await change(before.hash, { rotatedTo, endsAt }, isFree)) return true;
      return (await findByHash(before.hash))?.rotatedTo === rotatedTo;
    },

    /** Revokes a key; a key revoked before keeps its first time. */
    revoke: ({ hash }: ApiKey, revokedAt: string) =>
      change(hash, { revokedAt }, [{ attr: 'revokedAt', exists: false }]),

    /** Revokes a key because its owner is being deleted; a repeat changes nothing. */
    revokeFor: (deletionId: string, { hash }: ApiKey, revokedAt: string) =>
      change(hash, { deletionId, revokedAt: $get('revokedAt', revokedAt) }, [
        { attr: 'deletionId', exists: false },
      ]),

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

/** The condition that a key was not changed since it was read. */
function isRevision({ revision }: ApiKey): object {
  return revision === undefined
    ? { attr: 'revision', exists: false }
    : { attr: 'revision', eq: revision };
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;
