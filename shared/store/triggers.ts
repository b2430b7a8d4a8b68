// Triggers in the Watchlist table, and the trigger index that matching reads. A trigger is stored as
// the rules made it; beside it stand the attributes that place it in the index.
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { IndexRange, TriggerIndex } from '#shared/rules/trigger-index.ts';
import { writeIf } from './conditional-write.ts';
import type { WatchlistTable } from './tables.ts';

interface StoredTrigger {
  trigger: Trigger;
  /** Grows with each write; a write is conditional on the one that it read. */
  version: number;
}

/** An event's triggers as one evaluation run reads and moves them. */
export interface EventTriggers {
  /** Answers may lag behind the newest moves, as those of any index; `find` never does. */
  index: TriggerIndex;
  /** @returns false when the trigger was moved or removed by somebody else since this run read it. */
  move(next: Trigger): Promise<boolean>;
}

/** Reads and writes of triggers and of the series that an event needs. */
export function createTriggerStore(table: WatchlistTable) {
  const triggers = new Entity({
    name: 'trigger',
    table,
    timestamps: false,
    schema: item({
      triggerId: string().key(),
      version: number(),
      trigger: any().castAs<Trigger>(),
      triggerPartition: string(),
      triggerLevel: number(),
    }),
    computeKey: ({ triggerId }) => ({ pk: `TRIGGER#${triggerId}`, sk: 'TRIGGER' }),
  });
  const seriesInUse = new Entity({
    name: 'seriesInUse',
    table,
    timestamps: false,
    schema: item({ eventId: number().key(), series: string().key() }),
    computeKey: ({ eventId, series }) => ({ pk: `EVENT#${eventId}`, sk: `SERIES#${series}` }),
  });

  async function find(triggerId: string): Promise<StoredTrigger | undefined> {
    const found = await triggers
      .build(GetItemCommand)
      .key({ triggerId })
      .options({ consistent: true })
      .send();
    return found.Item;
  }

  async function readRange(
    partition: string,
    range?: { lte: number } | { gte: number },
  ): Promise<StoredTrigger[]> {
    const { Items = [] } = await table
      .build(QueryCommand)
      .entities(triggers)
      .query({ index: 'trigger', partition, ...(range && { range }) })
      .options({ maxPages: Number.POSITIVE_INFINITY })
      .send();
    return Items;
  }

  function write(trigger: Trigger, version: number): Promise<boolean> {
    return writeIf(() =>
      triggers
        .build(UpdateItemCommand)
        .item({
          triggerId: trigger.triggerId,
          version: version + 1,
          trigger,
          ...placeOf(trigger),
        })
        .options({ condition: { attr: 'version', eq: version } })
        .send(),
    );
  }

  /** @returns false when the trigger is there already. */
  async function create(trigger: Trigger): Promise<boolean> {
    const { eventId, series, triggerId } = trigger;
    await seriesInUse.build(PutItemCommand).item({ eventId, series }).send();
    return writeIf(() =>
      triggers
        .build(PutItemCommand)
        .item({ triggerId, version: 1, trigger, ...placeOf(trigger) })
        .options({ condition: { attr: 'triggerId', exists: false } })
        .send(),
    );
  }

  return {
    find: async (triggerId: string) => (await find(triggerId))?.trigger,

    /** Stores a new trigger and makes its series one that the event needs. */
    create,

    /** Removes a trigger; removing it twice is the same as once. */
    async remove(triggerId: string): Promise<void> {
      await triggers.build(DeleteItemCommand).key({ triggerId }).send();
    },

    /** The series that the event's triggers are on. */
    async seriesOf(eventId: number): Promise<SeriesKey[]> {
      const { Items = [] } = await table
        .build(QueryCommand)
        .entities(seriesInUse)
        .query({ partition: `EVENT#${eventId}`, range: { beginsWith: 'SERIES#' } })
        .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
        .send();
      return Items.map((row) => row.series);
    },

    /** The event's triggers for one run, which remembers the versions that it has read. */
    forEvent(eventId: number): EventTriggers {
      const versions = new Map<string, number>();
      const noteVersions = (found: StoredTrigger[]): Trigger[] => {
        for (const { trigger, version } of found) {
          const known = versions.get(trigger.triggerId) ?? 0;
          versions.set(trigger.triggerId, Math.max(known, version));
        }
        return found.map(({ trigger }) => trigger);
      };
      const ranged = async (state: 'armed' | 'fired', { series, direction, value }: IndexRange) => {
        const isAtOrAbove = (direction === 'down') === (state === 'armed');
        const partition = partitionOf({ eventId, series, direction, state });
        return noteVersions(
          await readRange(partition, isAtOrAbove ? { gte: value } : { lte: value }),
        );
      };
      return {
        index: {
          armedReachedBy: (range) => ranged('armed', range),
          firedPassedBy: (range) => ranged('fired', range),
          unsettled: async () => noteVersions(await readRange(unsettledPartition(eventId))),
          find: async (triggerId) => {
            const found = await find(triggerId);
            if (!found) return null;
            versions.set(triggerId, found.version);
            return found.trigger;
          },
        },
        async move(next) {
          const version = versions.get(next.triggerId);
          if (version === undefined || !(await write(next, version))) return false;
          versions.set(next.triggerId, version + 1);
          return true;
        },
      };
    },
  };
}

/** Where a trigger stands in the index: fired ones are found by their rearm level, others by their level. */
function placeOf(trigger: Trigger): { triggerPartition: string; triggerLevel: number } {
  const { eventId, series, direction, state } = trigger;
  if (state === 'new' || state === 'pending') {
    return { triggerPartition: unsettledPartition(eventId), triggerLevel: trigger.level };
  }
  return {
    triggerPartition: partitionOf({ eventId, series, direction, state }),
    triggerLevel: state === 'fired' ? trigger.rearmLevel : trigger.level,
  };
}

function partitionOf(
  place: Pick<Trigger, 'eventId' | 'series' | 'direction'> & { state: 'armed' | 'fired' },
): string {
  return `EVENT#${place.eventId}#${place.series}#${place.direction}#${place.state}`;
}

/** New and pending triggers are few and read together, whatever their series. */
function unsettledPartition(eventId: number): string {
  return `EVENT#${eventId}#unsettled`;
}

export type TriggerStore = ReturnType<typeof createTriggerStore>;
