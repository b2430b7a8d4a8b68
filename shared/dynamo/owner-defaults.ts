// Owners' defaults in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { noDefaults, type OwnerDefaults } from '#shared/watchlist/owner-defaults.ts';
import { needed, orElse } from './attribute-readings.ts';
import { writeIf } from './conditional-write.ts';
import { fromNameKeys, toNameKeys } from './name-keys.ts';
import { ownerDefaultsSchema } from './schemas/owner-defaults-schema.ts';
import { readOne } from './stored-items.ts';
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

  const reading = {
    attributes: {
      all: orElse({}, isObject),
      tags: orElse({}, isObject),
      version: needed(isNumber),
    },
  };

  return {
    /** An owner's defaults; empty with version 0 when none were set. */
    async find(ownerId: string): Promise<OwnerDefaults> {
      const action = defaults.build(GetItemCommand).key({ ownerId }).options({ consistent: true });
      const found = await readOne(action, reading);
      return found ? { ...found, tags: fromNameKeys(found.tags) } : noDefaults(ownerId);
    },

    /** @returns false when another request changed them since `before` was read. */
    replace(before: OwnerDefaults, after: OwnerDefaults): Promise<boolean> {
      return writeIf(() =>
        defaults
          .build(PutItemCommand)
          .item({ ...after, tags: toNameKeys(after.tags) })
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

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}
