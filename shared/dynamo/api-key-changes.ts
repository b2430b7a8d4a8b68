// Changes of an API key: used, renamed, rotated, revoked. Each is one conditional write.
import { $add, $get, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import type { ApiKey } from '#shared/watchlist/api-key.ts';
import type { ApiKeyEntity } from './api-key-entity.ts';
import { writeIf } from './conditional-write.ts';

/** The part of the key store that changes keys. */
export function createApiKeyChanges(
  apiKeys: ApiKeyEntity,
  findByHash: (hash: string) => Promise<ApiKey | undefined>,
) {
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
  };
}

/** The condition that a key was not changed since it was read. */
function isRevision({ revision }: ApiKey): object {
  return revision === undefined
    ? { attr: 'revision', exists: false }
    : { attr: 'revision', eq: revision };
}
