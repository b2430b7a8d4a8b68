// Owners in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $remove, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { string } from 'dynamodb-toolbox/schema';
import type { Digest, Owner, OwnerDeletion, QuietHours } from '#shared/watchlist/owner.ts';
import { fromKey, orElse } from './attribute-readings.ts';
import { writeIf } from './conditional-write.ts';
import { ownerIndexPage, type PageRequest } from './owner-index.ts';
import { ownerSchema } from './schemas/owner-schema.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** What an owner may change; `undefined` keeps the stored value, `null` removes it. */
export interface OwnerSettings {
  name?: string | undefined;
  timeZone?: string | undefined;
  quietHours?: QuietHours | null | undefined;
  digest?: Digest | null | undefined;
  recaps?: boolean | undefined;
}

/** The partition of the owner index that lists the owners themselves. */
const allOwners = 'owners';

/** Reads and writes of owners; creating an existing owner changes nothing. */
export function createAccessStore(table: WatchlistTable) {
  const owners = new Entity({
    name: 'owner',
    table,
    timestamps: false,
    schema: ownerSchema.and({ ownerKey: string().optional(), ownerSort: string().optional() }),
    computeKey: ({ ownerId }) => ({ pk: `OWNER#${ownerId}`, sk: 'OWNER' }),
  });
  const reading = leniently(owners, {
    ownerId: fromKey('OWNER#'),
    name: orElse(''),
    createdAt: orElse(new Date(0).toISOString()),
  });

  return {
    async findOwner(ownerId: string): Promise<Owner | undefined> {
      return readOne(owners.build(GetItemCommand).key({ ownerId }), reading);
    },

    /**
     * Changes an owner's name, time zone, quiet hours or digest.
     * @returns false when the owner doesn't exist, or was changed since `before` was read.
     */
    changeOwner(
      ownerId: string,
      { name, timeZone, quietHours, digest, recaps }: OwnerSettings,
      before?: Owner,
    ): Promise<boolean> {
      return writeIf(() =>
        owners
          .build(UpdateItemCommand)
          .item({
            ownerId,
            revision: $add(1),
            ...(name !== undefined && { name }),
            ...(timeZone !== undefined && { timeZone }),
            ...(recaps !== undefined && { recaps }),
            ...(quietHours !== undefined && {
              quietHours: quietHours ? $set(quietHours) : $remove(),
            }),
            ...(digest !== undefined && { digest: digest ? $set(digest) : $remove() }),
          })
          .options({ condition: { and: [{ attr: 'ownerId', exists: true }, ...sameAs(before)] } })
          .send(),
      );
    },

    /** Marks an owner as being deleted, for good. @returns false when it is marked already, or doesn't exist. */
    beginDeletion(ownerId: string, deletion: OwnerDeletion): Promise<boolean> {
      return writeIf(() =>
        owners
          .build(UpdateItemCommand)
          .item({ ownerId, deletion: $set(deletion) })
          .options({
            condition: {
              and: [
                { attr: 'createdAt', exists: true },
                { attr: 'deletion', exists: false },
              ],
            },
          })
          .send(),
      );
    },

    /** @returns false when the owner exists already. */
    createOwner(owner: Owner): Promise<boolean> {
      return writeIf(() =>
        owners
          .build(PutItemCommand)
          .item({ ...owner, ownerKey: allOwners, ownerSort: owner.ownerId })
          .options({ condition: { attr: 'ownerId', exists: false } })
          .send(),
      );
    },

    /** Every owner, the newest first. */
    list: (page: PageRequest) => ownerIndexPage(table, owners, allOwners, page, reading),
  };
}

/** The condition that the owner was not changed since it was read. */
function sameAs(before: Owner | undefined) {
  if (!before) return [];
  const { revision } = before;
  return revision === undefined
    ? [{ attr: 'revision', exists: false } as const]
    : [{ attr: 'revision', eq: revision } as const];
}

export type AccessStore = ReturnType<typeof createAccessStore>;
