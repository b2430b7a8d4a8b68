// Counts each owner's calls among the shared calls of a time window. The API decides how much one
// owner may use.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { type FormattedValue, item, number, record, string } from 'dynamodb-toolbox/schema';
import { orElse } from './attribute-readings.ts';
import { isNoNumber, isStillOrNoNumber, writeIf } from './conditional-write.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** How long a window is kept before the table's TTL deletes it. */
const keptSeconds = 3_600;

const windowUseSchema = item({
  name: string().key(),
  startsAtEpochSeconds: number().key(),
  total: number(),
  byOwner: record(string(), number()),
  expiresAtEpochSeconds: number(),
});

/** The calls of one window; `total` is the sum of `byOwner`. */
export type WindowUse = FormattedValue<typeof windowUseSchema>;

/** Reads and counts the calls of a window, named by the kind of call and the window's start. */
export function createWindowShareStore(table: WatchlistTable) {
  const windows = new Entity({
    name: 'windowUse',
    table,
    timestamps: false,
    schema: windowUseSchema,
    computeKey: ({ name, startsAtEpochSeconds }) => ({
      pk: `WINDOW#${name}`,
      sk: String(startsAtEpochSeconds),
    }),
  });

  return {
    /** The current window; a new one is empty. */
    async read(name: string, startsAtEpochSeconds: number): Promise<WindowUse> {
      const expiresAtEpochSeconds = startsAtEpochSeconds + keptSeconds;
      const empty = { name, startsAtEpochSeconds, total: 0, byOwner: {}, expiresAtEpochSeconds };
      // Damaged counts restart at zero; the marketplace's own limit still holds.
      const standIns = Object.entries(empty).map(([attr, value]) => [attr, orElse(value)]);
      const action = windows
        .build(GetItemCommand)
        .key({ name, startsAtEpochSeconds })
        .options({ consistent: true });
      const found = await readOne(action, leniently(windows, Object.fromEntries(standIns)));
      return found ?? empty;
    },

    /** Counts one more call of an owner. @returns false when another call was counted after the read. */
    add(before: WindowUse, ownerId: string): Promise<boolean> {
      const { total, byOwner } = before;
      const used = byOwner[ownerId] ?? 0;
      const after = { ...before, total: total + 1, byOwner: { ...byOwner, [ownerId]: used + 1 } };
      return writeIf(() =>
        windows
          .build(PutItemCommand)
          .item(after)
          .options({
            condition: total === 0 ? isNoNumber('total') : isStillOrNoNumber('total', total),
          })
          .send(),
      );
    },
  };
}

export type WindowShareStore = ReturnType<typeof createWindowShareStore>;
