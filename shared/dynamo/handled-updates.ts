// The updates of Telegram that were carried out, in the Watchlist table, so that a repeated one does nothing again.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { item, number, string } from 'dynamodb-toolbox/schema';
import { orElse } from './attribute-readings.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Telegram repeats an update for a day at most. */
const keptSeconds = 2 * 86_400;

/** An update of one bot; the numbers of another bot's updates may be the same. */
export interface UpdatePlace {
  botId: string;
  updateId: number;
}

/** Reads and writes of the updates that were carried out. */
export function createHandledUpdateStore(table: WatchlistTable) {
  const updates = new Entity({
    name: 'handledUpdate',
    table,
    timestamps: false,
    schema: item({
      botId: string().key(),
      updateId: number().key(),
      expiresAtEpochSeconds: number(),
    }),
    computeKey: ({ botId, updateId }) => ({ pk: `UPDATE#${botId}#${updateId}`, sk: 'HANDLED' }),
  });
  // A damaged item still says that the update was carried out.
  const reading = (place: UpdatePlace) =>
    leniently(updates, {
      ...{ botId: orElse(place.botId), updateId: orElse(place.updateId) },
      expiresAtEpochSeconds: orElse(Number.MAX_SAFE_INTEGER),
    });

  return {
    async isHandled(place: UpdatePlace, now: number): Promise<boolean> {
      const action = updates.build(GetItemCommand).key(place).options({ consistent: true });
      const found = await readOne(action, reading(place));
      return found !== undefined && found.expiresAtEpochSeconds * 1_000 > now;
    },

    /** Notes that an update was carried out. A repeat changes nothing that matters. */
    async note(place: UpdatePlace, now: number): Promise<void> {
      const expiresAtEpochSeconds = Math.ceil(now / 1_000) + keptSeconds;
      await updates
        .build(PutItemCommand)
        .item({ ...place, expiresAtEpochSeconds })
        .send();
    },
  };
}

export type HandledUpdateStore = ReturnType<typeof createHandledUpdateStore>;
