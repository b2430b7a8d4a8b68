// Triggers in the Watchlist table, and the trigger index that matching reads. How one lies there is
// trigger-item.ts's business.
import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import { openEventTriggers } from './event-triggers.ts';
import { createSeriesInUseStore } from './series-in-use.ts';
import type { RawItem } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import { createTriggerEntity } from './trigger-item.ts';
import { createTriggerRanges } from './trigger-ranges.ts';
import { createTriggerWrites } from './trigger-writes.ts';

/**
 * Reads and writes of triggers and of the series that an event needs.
 * @param options.rangeLimit triggers taken from one range at a time; more are read when these have moved.
 */
export function createTriggerStore(table: WatchlistTable, { rangeLimit = 1_000 } = {}) {
  const triggers = createTriggerEntity(table);
  const seriesInUse = createSeriesInUseStore(table);
  const ranges = createTriggerRanges(table, triggers, rangeLimit);
  const writes = createTriggerWrites(triggers);
  const { find, read, write, put, replaceDamaged } = writes;

  async function remove(triggerId: string): Promise<void> {
    await triggers.build(DeleteItemCommand).key({ triggerId }).send();
  }

  return {
    find: async (triggerId: string) => (await find(triggerId))?.trigger,

    /** A trigger's item as it is stored, for a check of it; undefined when there is none. */
    async inspect(triggerId: string): Promise<RawItem | undefined> {
      const action = triggers
        .build(GetItemCommand)
        .key({ triggerId })
        .options({ consistent: true });
      const { Item: raw } = await table.getDocumentClient().send(new GetCommand(action.params()));
      return raw;
    },

    /** What is recorded of a trigger's fault; undefined while it has none. */
    faultOf: async (triggerId: string) => (await read(triggerId))?.setAside,

    /**
     * Stores a trigger and makes its series one that the event needs. One of the same id gives way
     * only to a later generation, so that doing it again does nothing.
     */
    async create(trigger: Trigger): Promise<boolean> {
      const { triggerId, generation } = trigger;
      await seriesInUse.need(trigger);
      const isNew = await put(trigger, {
        or: [
          { attr: 'triggerId', exists: false },
          { attr: 'generation', lt: generation },
        ],
      });
      return isNew || replaceDamaged(triggerId, trigger);
    },

    /**
     * Changes a trigger, whatever else happens to it meanwhile.
     * @returns false when there is no such trigger any more.
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

    /** Removes a trigger; removing it twice is the same as once. */
    remove,

    /** The series that the event's triggers ask for. */
    seriesOf: (eventId: number): Promise<SeriesKey[]> => seriesInUse.of(eventId),

    findAnyOn: ranges.findAnyOn,
    armedEdge: ranges.armedEdge,

    /**
     * The event's triggers for one run.
     * @param isTried whether a trigger that was set aside is looked at again.
     */
    forEvent: (eventId: number, isTried?: (fault: SetAside) => boolean) =>
      openEventTriggers(eventId, { ...writes, readRange: ranges.readRange }, isTried),
  };
}

export type TriggerStore = ReturnType<typeof createTriggerStore>;
