// Triggers in the Watchlist table, and the trigger index that matching reads. How one lies there is
// trigger-item.ts's business.
import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $remove } from 'dynamodb-toolbox/entity/actions/update';
import { UpdateAttributesCommand } from 'dynamodb-toolbox/entity/actions/updateAttributes';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { SetAside } from '#shared/watchlist/set-aside.ts';
import { writeIf } from './conditional-write.ts';
import { openEventTriggers } from './event-triggers.ts';
import { createSeriesInUseStore } from './series-in-use.ts';
import { type RawItem, readOne, readPage } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import {
  createTriggerEntity,
  damageOf,
  isReadable,
  placeOf,
  placeOfUnreadable,
  type StoredTrigger,
  settledPartition,
  triggerReading,
  type UnreadableTrigger,
  unsettledPartition,
} from './trigger-item.ts';

/** No trigger is armed as often; a larger number is damaged. */
const latestGeneration = 1e14;

/**
 * Reads and writes of triggers and of the series that an event needs.
 * @param options.rangeLimit triggers taken from one range at a time; more are read when these have moved.
 */
export function createTriggerStore(table: WatchlistTable, { rangeLimit = 1_000 } = {}) {
  const triggers = createTriggerEntity(table);
  const seriesInUse = createSeriesInUseStore(table);

  async function find(triggerId: string): Promise<StoredTrigger | undefined> {
    const found = await read(triggerId);
    return found && isReadable(found) ? found : undefined;
  }

  function read(triggerId: string) {
    const action = triggers.build(GetItemCommand).key({ triggerId }).options({ consistent: true });
    return readOne(action, triggerReading);
  }

  /** DynamoDB may end a page early at 1 MB, so this reads on until the limit or the range's end. */
  async function readRange(partition: string, range?: { lte: number } | { gte: number }) {
    const found: StoredTrigger[] = [];
    const unreadable: UnreadableTrigger[] = [];
    let start: RawItem | undefined;
    do {
      const { items, lastKey } = await readPage(
        table
          .build(QueryCommand)
          .query({ index: 'trigger', partition, ...(range && { range }) })
          .options({ limit: rangeLimit - found.length - unreadable.length }),
        triggers,
        triggerReading,
        start,
      );
      for (const each of items) {
        if (isReadable(each)) found.push(each);
        else unreadable.push(damageOf(each));
      }
      start = lastKey;
    } while (start && found.length + unreadable.length < rangeLimit);
    return { found, unreadable, isTruncated: start !== undefined };
  }

  /** A write of a trigger as it is now takes the record of a fault away, unless it has one. */
  async function write(
    { trigger, stamp, setAside }: StoredTrigger,
    expected: string,
  ): Promise<boolean> {
    const { triggerId } = trigger;
    return writeIf(() =>
      triggers
        .build(UpdateAttributesCommand)
        .item({
          ...{ triggerId, stamp, trigger, ...placeOf(trigger, setAside !== undefined) },
          setAside: setAside ?? $remove(),
        } as never)
        .options({ condition: { attr: 'stamp', eq: expected } })
        .send(),
    );
  }

  /** Takes a trigger that can't be read out of everybody's way, and notes why. */
  function writeUnreadable(
    eventId: number,
    { triggerId, stamp, setAside }: Omit<StoredTrigger, 'trigger'> & { triggerId: string },
  ): Promise<boolean> {
    return writeIf(() =>
      triggers
        .build(UpdateAttributesCommand)
        .item({ triggerId, stamp, setAside, ...placeOfUnreadable(eventId) } as never)
        .options({ condition: { attr: 'triggerId', exists: true } })
        .send(),
    );
  }

  function put(trigger: Trigger, condition: object): Promise<boolean> {
    const { triggerId } = trigger;
    return writeIf(() =>
      triggers
        .build(PutItemCommand)
        .item({ triggerId, stamp: randomUUID(), trigger, ...placeOf(trigger) })
        .options({ condition: condition as never })
        .send(),
    );
  }

  /** One that can't be read gives way too, under a generation that no alert has been named by. */
  async function replaceDamaged(triggerId: string, trigger: Trigger): Promise<boolean> {
    const there = await read(triggerId);
    if (!there || isReadable(there)) return false;
    const known = there.generation < latestGeneration ? there.generation : 0;
    const generation = Math.max(known, trigger.generation) + 1;
    return put({ ...trigger, generation }, { attr: 'stamp', eq: there.stamp });
  }

  async function remove(triggerId: string): Promise<void> {
    await triggers.build(DeleteItemCommand).key({ triggerId }).send();
  }

  function removeIf(triggerId: string, stamp: string): Promise<boolean> {
    return writeIf(() =>
      triggers
        .build(DeleteItemCommand)
        .key({ triggerId })
        .options({ condition: { attr: 'stamp', eq: stamp } })
        .send(),
    );
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

    /**
     * Whether any of the event's triggers is on a series, as far as the index knows: it may lag.
     * Where too many are unsettled to look through, one of them may be.
     */
    async findAnyOn(eventId: number, series: SeriesKey): Promise<boolean> {
      const unsettled = await readRange(unsettledPartition(eventId));
      if (unsettled.isTruncated) return true;
      if (unsettled.found.some(({ trigger }) => trigger.series === series)) return true;
      for (const direction of ['down', 'up'] as const) {
        for (const state of ['armed', 'fired'] as const) {
          const partition = settledPartition({ eventId, series, direction, state });
          const query = table.build(QueryCommand).query({ index: 'trigger', partition });
          const { items, lastKey } = await readPage(
            query.options({ limit: 1 }),
            triggers,
            triggerReading,
          );
          if (items.length > 0 || lastKey) return true;
        }
      }
      return false;
    },

    /** The armed level that a series would reach first: the highest going down, the lowest going up. */
    async armedEdge(
      eventId: number,
      series: SeriesKey,
      direction: Trigger['direction'],
    ): Promise<number | undefined> {
      const partition = settledPartition({ eventId, series, direction, state: 'armed' });
      const query = table.build(QueryCommand).query({ index: 'trigger', partition });
      const { items } = await readPage(
        query.options({ limit: 1, reverse: direction === 'down' }),
        triggers,
        triggerReading,
      );
      const [first] = items.filter(isReadable);
      return first?.trigger.level;
    },

    /**
     * The event's triggers for one run.
     * @param isTried whether a trigger that was set aside is looked at again.
     */
    forEvent: (eventId: number, isTried?: (fault: SetAside) => boolean) =>
      openEventTriggers(eventId, { find, readRange, write, writeUnreadable, removeIf }, isTried),
  };
}

export type TriggerStore = ReturnType<typeof createTriggerStore>;
