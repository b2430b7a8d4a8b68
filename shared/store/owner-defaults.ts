// Owners' defaults in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import {
  noDefaults,
  type OwnerDefaults,
  ownerDefaultsSchema,
} from '#shared/watchlist/owner-defaults.ts';
import { writeIf } from './conditional-write.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of defaults. */
export function createOwnerDefaultsStore(table: WatchlistTable) {
  const defaults = new Entity({
    name: 'ownerDefaults',
    table,
    timestamps: false,
    schema: ownerDefaultsSchema,
    computeKey: ({ ownerId }) => ({ pk: `OWNER#${ownerId}`, sk: 'DEFAULTS' }),
  });

  return {
    /** An owner's defaults; version 0 and empty when none were set. */
    async find(ownerId: string): Promise<OwnerDefaults> {
      const found = await defaults
        .build(GetItemCommand)
        .key({ ownerId })
        .options({ consistent: true })
        .send();
      return found.Item ?? noDefaults(ownerId);
    },

    /** @returns false when somebody else changed them since `before` was read. */
    replace(before: OwnerDefaults, after: OwnerDefaults): Promise<boolean> {
      return writeIf(() =>
        defaults
          .build(PutItemCommand)
          .item(after)
          .options({
            condition:
              before.version === 0
                ? { attr: 'version', exists: false }
                : { attr: 'version', eq: before.version },
          })
          .send(),
      );
    },
  };
}

export type OwnerDefaultsStore = ReturnType<typeof createOwnerDefaultsStore>;
