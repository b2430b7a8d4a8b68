// Reads triggers by their series and level, in the trigger index. The index may lag behind the table.
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { RawItem } from './attribute-readings.ts';
import { readPage } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import {
  damageOf,
  isReadable,
  type SettledPlace,
  type StoredTrigger,
  settledPartition,
  type TriggerEntity,
  triggerReading,
  type UnreadableTrigger,
  unsettledPartition,
} from './trigger-item.ts';

/** Where the nearest triggers are looked for: in so many shards of the event. */
export interface NearestPlace extends Omit<SettledPlace, 'shard'> {
  shards: number;
}

interface SeriesPlace {
  eventId: number;
  series: SeriesKey;
  shards: number;
}

/** @param rangeLimit maximum number of triggers read from one range at a time. */
export function createTriggerRanges(
  table: WatchlistTable,
  triggers: TriggerEntity,
  rangeLimit: number,
) {
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

  return {
    readRange,

    /** As the trigger store says; in the order of the shards, until one has such a trigger. */
    async findAnyOn({ shards, ...place }: SeriesPlace): Promise<boolean> {
      for (let shard = 0; shard < shards; shard += 1) {
        if (await isAnyOn({ ...place, shard })) return true;
      }
      return false;
    },

    /**
     * The triggers of a series and direction that a value would reach first: armed ones by their levels, fired ones by
     * their rearm levels.
     */
    async nearest({ shards, ...place }: NearestPlace, limit: number): Promise<Trigger[]> {
      const isFromTop = (place.direction === 'down') === (place.state === 'armed');
      const found = await Promise.all(
        Array.from({ length: shards }, (_, shard) =>
          firstPage({ ...place, shard }, { limit, reverse: isFromTop }),
        ),
      );
      const sign = isFromTop ? -1 : 1;
      const readable = found.flatMap(({ items }) => items.filter(isReadable));
      const inOrder = readable.sort((a, b) => sign * (a.triggerLevel - b.triggerLevel));
      return inOrder.slice(0, limit).map(({ trigger }) => trigger);
    },
  };

  function firstPage(place: SettledPlace, options: { limit: number; reverse?: boolean }) {
    const partition = settledPartition(place);
    const query = table.build(QueryCommand).query({ index: 'trigger', partition });
    return readPage(query.options(options), triggers, triggerReading);
  }

  /** True if there are too many unsettled triggers to check, because one of them may be. */
  async function isAnyOn(place: Pick<SettledPlace, 'eventId' | 'series' | 'shard'>) {
    const { eventId, series, shard } = place;
    const unsettled = await readRange(unsettledPartition(eventId, shard));
    if (unsettled.isTruncated) return true;
    if (unsettled.found.some(({ trigger }) => trigger.series === series)) return true;
    for (const direction of ['down', 'up'] as const) {
      for (const state of ['armed', 'fired'] as const) {
        const { items, lastKey } = await firstPage({ ...place, direction, state }, { limit: 1 });
        if (items.length > 0 || lastKey) return true;
      }
    }
    return false;
  }
}
