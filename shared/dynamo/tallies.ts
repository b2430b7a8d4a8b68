// Counters with a limit, each for a time window: sends in a window, alerts in a day.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { $add, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, number, string } from 'dynamodb-toolbox/schema';
import { fromKey, namedByKey, orElse } from './attribute-readings.ts';
import { isNoNumber, writeIf } from './conditional-write.ts';
import { leniently, readOne } from './stored-items.ts';
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

  const reading = leniently(tallies, {
    name: fromKey('TALLY#'),
    startsAt: namedByKey(({ sk }) => Number(String(sk).slice('AT#'.length))),
    ...{ count: orElse(0), expiresAtEpochSeconds: orElse(0) },
  });

  return {
    /** How many were counted in a window; 0 if the count is damaged. */
    async count({ name, startsAt }: Pick<CountWindow, 'name' | 'startsAt'>): Promise<number> {
      const action = tallies.build(GetItemCommand).key({ name, startsAt });
      return (await readOne(action, reading))?.count ?? 0;
    },

    /**
     * Counts one more in a window, or `places` more. A crash afterwards uses up those places, never more.
     * @returns false when the limit is reached.
     */
    async take({ name, startsAt, endsAt, ceiling }: CountWindow, places = 1): Promise<boolean> {
      const expiresAtEpochSeconds = Math.ceil(endsAt / 1_000) + keptForSeconds;
      const isTaken = await writeIf(() =>
        tallies
          .build(UpdateItemCommand)
          .item({ name, startsAt, count: $add(places), expiresAtEpochSeconds })
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
