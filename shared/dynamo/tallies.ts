// Counters with a limit, each for a time window: sends in a window, alerts in a day.
import { Entity } from 'dynamodb-toolbox/entity';
import { $add, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, number, string } from 'dynamodb-toolbox/schema';
import { isNoNumber, writeIf } from './conditional-write.ts';
import type { WatchlistTable } from './tables.ts';

/** A counter is kept a day longer than its window. */
const keptForSeconds = 86_400;

/** The name of what is counted, and its time window; times are epoch milliseconds. */
export interface CountWindow {
  name: string;
  startsAt: number;
  endsAt: number;
  ceiling: number;
}

/** Counts up to a limit. */
export function createTallyStore(table: WatchlistTable) {
  const tallies = new Entity({
    name: 'tally',
    table,
    timestamps: false,
    schema: item({
      name: string().key(),
      startsAt: number().key(),
      count: number(),
      expiresAtEpochSeconds: number(),
    }),
    computeKey: ({ name, startsAt }) => ({ pk: `TALLY#${name}`, sk: `AT#${startsAt}` }),
  });

  return {
    /**
     * Counts one more in a window. A crash afterwards uses up that place, never more.
     * @returns false when the limit is reached.
     */
    async take({ name, startsAt, endsAt, ceiling }: CountWindow): Promise<boolean> {
      const expiresAtEpochSeconds = Math.ceil(endsAt / 1_000) + keptForSeconds;
      const isTaken = await writeIf(() =>
        tallies
          .build(UpdateItemCommand)
          .item({ name, startsAt, count: $add(1), expiresAtEpochSeconds })
          .options({
            condition: {
              or: [
                { attr: 'count', exists: false },
                { attr: 'count', lt: ceiling },
              ],
            },
          })
          .send(),
      );
      if (isTaken || ceiling < 1) return isTaken;
      // A damaged count restarts, because nothing else would ever free a place in it.
      return writeIf(() =>
        tallies
          .build(UpdateItemCommand)
          .item({ name, startsAt, count: 1, expiresAtEpochSeconds })
          .options({ condition: isNoNumber('count') })
          .send(),
      );
    },
  };
}

export type TallyStore = ReturnType<typeof createTallyStore>;
