// How many triggers were placed on an event, in the Watchlist table: it decides the shard of the next ones, and tells
// how many shards there are. The count never falls, so a shard that has had a trigger is always evaluated.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { $add, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, number } from 'dynamodb-toolbox/schema';
import {
  mostShards,
  nextShard,
  shardsAfter,
  triggersPerShard,
} from '#shared/watchlist/event-shards.ts';
import { eventFromKey, orElse } from './attribute-readings.ts';
import { isNoNumber, writeIf, writeOrReplace } from './conditional-write.ts';
import { type ItemReading, readOne, updateAndRead } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Replaces a damaged count: with it, every shard is evaluated. */
const allPlaced = mostShards * triggersPerShard;

export function createEventShardStore(table: WatchlistTable) {
  const eventShards = new Entity({
    name: 'eventShards',
    table,
    timestamps: false,
    schema: item({ eventId: number().key(), placed: number() }),
    computeKey: ({ eventId }) => ({ pk: `EVENT#${eventId}`, sk: 'SHARDS' }),
  });
  const reading: ItemReading<{ eventId: number; placed: number }> = {
    attributes: { eventId: eventFromKey, placed: orElse(allPlaced, isCount) },
  };

  return {
    /**
     * Counts triggers of the event before they are written. A crash afterwards leaves them counted, which is harmless.
     * @returns the shard that all of them are to be in.
     */
    async place(eventId: number, triggers: number): Promise<number> {
      const count = (placed: ReturnType<typeof $add<number>> | number) => () =>
        updateAndRead(
          eventShards
            .build(UpdateItemCommand)
            .item({ eventId, placed })
            .options({ returnValues: 'ALL_NEW' }),
          reading,
        );
      const what = { what: 'count of triggers', ids: { eventId: String(eventId) } };
      const after = await writeOrReplace(what, count($add(triggers)), count(allPlaced));
      return nextShard(Math.max(0, (after?.placed ?? 0) - triggers));
    },

    /** Restores a count that was lost: a shard that has triggers is evaluated again. @returns false if it is counted */
    cover(eventId: number, shard: number): Promise<boolean> {
      const placed = (shard + 1) * triggersPerShard;
      return writeIf(() =>
        eventShards
          .build(UpdateItemCommand)
          .item({ eventId, placed })
          .options({ condition: { or: [isNoNumber('placed'), { attr: 'placed', lt: placed }] } })
          .send(),
      );
    },

    /** The number of the event's shards: every trigger that was written before this call is in one of them. */
    async count(eventId: number): Promise<number> {
      const action = eventShards
        .build(GetItemCommand)
        .key({ eventId })
        .options({ consistent: true });
      return shardsAfter((await readOne(action, reading))?.placed ?? 0);
    },
  };
}

export type EventShardStore = ReturnType<typeof createEventShardStore>;

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
