// Counts the requests of each API key in the current window. The API decides which requests
// are refused.
import { Entity } from 'dynamodb-toolbox/entity';
import { $add, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, number, string } from 'dynamodb-toolbox/schema';
import { writeOrReplace } from './conditional-write.ts';
import type { WatchlistTable } from './tables.ts';

/** How long an old window is kept before the table's TTL deletes it. */
const keptSeconds = 3_600;

/** Counts per key and window; a window is named by its start, epoch seconds. */
export function createRequestCountStore(table: WatchlistTable) {
  const counts = new Entity({
    name: 'requestCount',
    table,
    timestamps: false,
    schema: item({
      keyId: string().key(),
      startsAtEpochSeconds: number().key(),
      requests: number(),
      expiresAtEpochSeconds: number(),
    }),
    computeKey: ({ keyId, startsAtEpochSeconds }) => ({
      pk: `REQUESTS#${keyId}`,
      sk: String(startsAtEpochSeconds),
    }),
  });

  return {
    /** Counts one more request. @returns the window's count, this request included. */
    async add(keyId: string, startsAtEpochSeconds: number): Promise<number> {
      const key = { keyId, startsAtEpochSeconds };
      const expiresAtEpochSeconds = startsAtEpochSeconds + keptSeconds;
      const addOne = async () => {
        const { Attributes } = await counts
          .build(UpdateItemCommand)
          .item({ ...key, requests: $add(1), expiresAtEpochSeconds })
          .options({ returnValues: 'UPDATED_NEW' })
          .send();
        return Attributes?.requests ?? 1;
      };
      // A damaged count restarts: its window ends soon, and the key must not be locked out.
      return writeOrReplace({ what: 'requestCount', ids: { keyId } }, addOne, async () => {
        await counts
          .build(UpdateItemCommand)
          .item({ ...key, requests: 1, expiresAtEpochSeconds })
          .send();
        return 1;
      });
    },
  };
}

export type RequestCountStore = ReturnType<typeof createRequestCountStore>;
