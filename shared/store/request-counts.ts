// How many requests each API key made in the current window. Counts only; the API decides which requests
// are refused.
import { Entity } from 'dynamodb-toolbox/entity';
import { $add, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, number, string } from 'dynamodb-toolbox/schema';
import type { WatchlistTable } from './tables.ts';

/** An old window is kept for this long, until the table's TTL takes it. */
const keptSeconds = 3_600;

/** Counts per key and window; a window is named by when it starts, epoch seconds. */
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
    /** Counts one more. @returns how many the window holds now, this one included. */
    async add(keyId: string, startsAtEpochSeconds: number): Promise<number> {
      const answer = await counts
        .build(UpdateItemCommand)
        .item({
          keyId,
          startsAtEpochSeconds,
          requests: $add(1),
          expiresAtEpochSeconds: startsAtEpochSeconds + keptSeconds,
        })
        .options({ returnValues: 'UPDATED_NEW' })
        .send();
      return answer.Attributes?.requests ?? 1;
    },
  };
}

export type RequestCountStore = ReturnType<typeof createRequestCountStore>;
