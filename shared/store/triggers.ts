// Triggers in the Watchlist table, and the trigger index that matching reads. A trigger is stored as
// the rules made it; beside it stand the attributes that place it in the index.
import { randomUUID } from 'node:crypto';
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { UpdateAttributesCommand } from 'dynamodb-toolbox/entity/actions/updateAttributes';
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { IndexRange, TriggerIndex } from '#shared/rules/trigger-index.ts';
import { writeIf } from './conditional-write.ts';
import { createSeriesInUseStore } from './series-in-use.ts';
import type { WatchlistTable } from './tables.ts';

/** A trigger as read. `stamp` changes with each write; a write is conditional on the one that it read. */
interface StoredTrigger {
  trigger: Trigger;
  stamp: string;
}

/** An event's triggers as one evaluation run reads and moves them. */
export interface EventTriggers {
  /** Answers may lag behind the newest moves, as those of any index; `find` never does. */
  index: TriggerIndex;
  /** @returns false when the trigger was moved or removed by somebody else since this run read it. */
  move(next: Trigger): Promise<boolean>;
  /** Removes a trigger, unless somebody else moved it since this run read it. */
  retire(triggerId: string): Promise<boolean>;
  /** Forgets whether a reading was cut short. */
  beginReading(): void;
  /** Whether a range held more triggers than one reading takes, since `beginReading`. */
  wasTruncated(): boolean;
}

/**
 * Reads and writes of triggers and of the series that an event needs.
 * @param options.rangeLimit triggers taken from one range at a time; more are read when these have moved.
 */
export function createTriggerStore(table: WatchlistTable, { rangeLimit = 1_000 } = {}) {
  const triggers = new Entity({
    name: 'trigger',
    table,
    timestamps: false,
    schema: item({
      triggerId: string().key(),
      stamp: string(),
      generation: number(),
      trigger: any().castAs<Trigger>(),
      triggerPartition: string(),
      triggerLevel: number(),
    }),
    computeKey: ({ triggerId }) => ({ pk: `TRIGGER#${triggerId}`, sk: 'TRIGGER' }),
  });
  const seriesInUse = createSeriesInUseStore(table);

  async function find(triggerId: string): Promise<StoredTrigger | undefined> {
    const found = await triggers
      .build(GetItemCommand)
      .key({ triggerId })
      .options({ consistent: true })
      .send();
    return found.Item;
  }

  /** DynamoDB may end a page early at 1 MB, so this reads on until the limit or the range's end. */
  async function readRange(partition: string, range?: { lte: number } | { gte: number }) {
    const found: StoredTrigger[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await table
        .build(QueryCommand)
        .entities(triggers)
        .query({ index: 'trigger', partition, ...(range && { range }) })
        .options({
          limit: rangeLimit - found.length,
          ...(start && { exclusiveStartKey: start }),
        })
        .send();
      found.push(...Items);
      start = LastEvaluatedKey;
    } while (start && found.length < rangeLimit);
    return { found, isTruncated: start !== undefined };
  }

  async function write({ trigger, stamp }: StoredTrigger, expected: string): Promise<boolean> {
    const { triggerId } = trigger;
    return writeIf(() =>
      triggers
        .build(UpdateAttributesCommand)
        .item({ triggerId, stamp, trigger, ...placeOf(trigger) })
        .options({ condition: { attr: 'stamp', eq: expected } })
        .send(),
    );
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

    /**
     * Stores a trigger and makes its series one that the event needs. One of the same id gives way
     * only to a later generation, so that doing it again does nothing.
     */
    async create(trigger: Trigger): Promise<boolean> {
      const { triggerId, generation } = trigger;
      await seriesInUse.need(trigger);
      return writeIf(() =>
        triggers
          .build(PutItemCommand)
          .item({ triggerId, stamp: randomUUID(), trigger, ...placeOf(trigger) })
          .options({
            condition: {
              or: [
                { attr: 'triggerId', exists: false },
                { attr: 'generation', lt: generation },
              ],
            },
          })
          .send(),
      );
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
          const { Items = [] } = await table
            .build(QueryCommand)
            .entities(triggers)
            .query({ index: 'trigger', partition })
            .options({ limit: 1 })
            .send();
          if (Items.length > 0) return true;
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
      const { Items = [] } = await table
        .build(QueryCommand)
        .entities(triggers)
        .query({ index: 'trigger', partition })
        .options({ limit: 1, reverse: direction === 'down' })
        .send();
      return Items[0]?.trigger.level;
    },

    /** The event's triggers for one run. */
    forEvent: (eventId: number) => openEventTriggers(eventId, { find, readRange, write, removeIf }),
  };
}

interface TriggerAccess {
  find(triggerId: string): Promise<StoredTrigger | undefined>;
  readRange(
    partition: string,
    range?: { lte: number } | { gte: number },
  ): Promise<{ found: StoredTrigger[]; isTruncated: boolean }>;
  write(next: StoredTrigger, expected: string): Promise<boolean>;
  removeIf(triggerId: string, stamp: string): Promise<boolean>;
}

function openEventTriggers(eventId: number, access: TriggerAccess): EventTriggers {
  const readStamps = new Map<string, string>();
  // What this run wrote or read by primary key is newer than anything that the index says.
  const ownStamps = new Map<string, string>();
  let isTruncated = false;
  const stampOf = (triggerId: string) => ownStamps.get(triggerId) ?? readStamps.get(triggerId);

  async function read(partition: string, range?: { lte: number } | { gte: number }) {
    const answer = await access.readRange(partition, range);
    isTruncated ||= answer.isTruncated;
    for (const { trigger, stamp } of answer.found) readStamps.set(trigger.triggerId, stamp);
    return answer.found.map(({ trigger }) => trigger);
  }

  function readState(state: 'armed' | 'fired', { series, direction, value }: IndexRange) {
    const isAtOrAbove = (direction === 'down') === (state === 'armed');
    const partition = settledPartition({ eventId, series, direction, state });
    return read(partition, isAtOrAbove ? { gte: value } : { lte: value });
  }

  return {
    index: {
      armedReachedBy: (range) => readState('armed', range),
      firedPassedBy: (range) => readState('fired', range),
      unsettled: () => read(unsettledPartition(eventId)),
      find: async (triggerId) => {
        const found = await access.find(triggerId);
        if (!found) return null;
        ownStamps.set(triggerId, found.stamp);
        return found.trigger;
      },
    },
    async move(next) {
      const expected = stampOf(next.triggerId);
      const stamp = randomUUID();
      if (!expected || !(await access.write({ trigger: next, stamp }, expected))) return false;
      ownStamps.set(next.triggerId, stamp);
      return true;
    },
    async retire(triggerId) {
      const expected = stampOf(triggerId);
      return expected !== undefined && access.removeIf(triggerId, expected);
    },
    beginReading: () => {
      isTruncated = false;
    },
    wasTruncated: () => isTruncated,
  };
}

/** Where a trigger stands in the index: fired ones are found by their rearm level, others by their level. */
function placeOf(trigger: Trigger) {
  const { eventId, series, direction, state, level, rearmLevel, generation } = trigger;
  if (state === 'new' || state === 'pending') {
    return { generation, triggerPartition: unsettledPartition(eventId), triggerLevel: level };
  }
  return {
    generation,
    triggerPartition: settledPartition({ eventId, series, direction, state }),
    triggerLevel: state === 'fired' ? rearmLevel : level,
  };
}

function settledPartition(
  place: Pick<Trigger, 'eventId' | 'series' | 'direction'> & { state: 'armed' | 'fired' },
): string {
  return `EVENT#${place.eventId}#${place.series}#${place.direction}#${place.state}`;
}

/** New and pending triggers are few and read together, whatever their series. */
function unsettledPartition(eventId: number): string {
  return `EVENT#${eventId}#unsettled`;
}

export type TriggerStore = ReturnType<typeof createTriggerStore>;
