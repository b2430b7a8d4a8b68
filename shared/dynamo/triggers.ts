// Triggers in the Watchlist table, and the trigger index that matching reads. trigger-item.ts owns their
// stored form.
import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import type { RawItem } from './attribute-readings.ts';
import { createEventShardStore } from './event-shards.ts';
import { openEventTriggers } from './event-triggers.ts';
import { createSeriesInUseStore } from './series-in-use.ts';
import type { WatchlistTable } from './tables.ts';
import { createTriggerEntity } from './trigger-item.ts';
import { createTriggerRanges } from './trigger-ranges.ts';
import { createTriggerWrites } from './trigger-writes.ts';

/**
 * Reads and writes of triggers and of the series that an event needs.
 * @param options.rangeLimit triggers read from one range at a time; more are read after these have moved.
 */
export function createTriggerStore(table: WatchlistTable, { rangeLimit = 1_000 } = {}) {
  const triggers = createTriggerEntity(table);
  const seriesInUse = createSeriesInUseStore(table);
  const shards = createEventShardStore(table);
  const ranges = createTriggerRanges(table, triggers, rangeLimit);
  const writes = createTriggerWrites(triggers);
  const { find, read, write, put, replaceDamaged } = writes;

  async function createWithSeries(trigger: Trigger): Promise<boolean> {
    const { triggerId, generation } = trigger;
    const isNew = await put(trigger, {
      or: [
        { attr: 'triggerId', exists: false },
        { attr: 'generation', lt: generation },
      ],
    });
    return isNew || replaceDamaged(triggerId, trigger);
  }

  async function remove(triggerId: string): Promise<void> {
    await triggers.build(DeleteItemCommand).key({ triggerId }).send();
  }

  return {
    find: async (triggerId: string) => (await find(triggerId))?.trigger,

    /** A trigger's raw item, to check it; undefined when there is none. */
    async inspect(triggerId: string): Promise<RawItem | undefined> {
      const action = triggers
        .build(GetItemCommand)
        .key({ triggerId })
        .options({ consistent: true });
      const { Item: raw } = await table.getDocumentClient().send(new GetCommand(action.params()));
      return raw;
    },

    /** The fault recorded on a trigger; undefined if it has none. */
    faultOf: async (triggerId: string) => (await read(triggerId))?.setAside,

    /**
     * Stores a trigger and records its series as needed. A stored trigger with the same id is replaced
     * only by a later generation, so a repeat changes nothing.
     */
    async create(trigger: Trigger): Promise<boolean> {
      await seriesInUse.need(trigger);
      return createWithSeries(trigger);
    },

    /** The first half of `create`, for many triggers: records their series as needed. */
    needSeries: (triggers: readonly Trigger[]): Promise<void> => seriesInUse.need(...triggers),

    /** The second half of `create`, after `needSeries`. */
    createWithSeries,

    /**
     * Changes a trigger, and retries if another writer changes it meanwhile.
     * @returns false when the trigger doesn't exist.
     */
    async edit(triggerId: string, change: (trigger: Trigger) => Trigger): Promise<boolean> {
      for (;;) {
        const stored = await find(triggerId);
        if (!stored) return false;
        const trigger = change(stored.trigger);
        await seriesInUse.need(trigger);
        if (await write({ trigger, stamp: randomUUID() }, stored.stamp)) return true;
      }
    },

    /**
     * Takes a trigger out of matching with its state, until it is edited. A repeat changes nothing, nor does a trigger
     * that doesn't exist or can't be read.
     */
    async park(triggerId: string): Promise<void> {
      for (;;) {
        const stored = await find(triggerId);
        if (!stored || (await write({ ...stored, stamp: randomUUID() }, stored.stamp, true)))
          return;
      }
    },

    /** Removes a trigger; a repeat changes nothing. */
    remove,

    /** The series that the event's triggers need. */
    seriesOf: (eventId: number): Promise<SeriesKey[]> => seriesInUse.of(eventId),

    /**
     * Counts triggers of a new watch on the event, before they are created.
     * @returns the shard that they are to be in.
     */
    place: shards.place,

    coverShard: shards.cover,

    /** The number of the event's shards, 1 or more. */
    shardsOf: shards.count,

    /** Whether any of the event's triggers is on a series, by the index, which may lag. */
    findAnyOn: async (eventId: number, series: SeriesKey): Promise<boolean> =>
      ranges.findAnyOn({ eventId, series, shards: await shards.count(eventId) }),

    nearest: ranges.nearest,

    /**
     * The triggers of one of the event's shards for one run.
     * @param shard @default the first
     * @param isTried whether a trigger that was set aside is retried.
     */
    forEvent: (eventId: number, { shard, isTried }: ReadTriggers = {}) =>
      openEventTriggers(
        { eventId, shard },
        { ...writes, find: writes.findMatched, readRange: ranges.readRange },
        isTried,
      ),
  };
}

interface ReadTriggers {
  shard?: number | undefined;
  isTried?: (fault: SetAside) => boolean;
}

export type TriggerStore = ReturnType<typeof createTriggerStore>;
