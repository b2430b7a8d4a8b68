// The series that an event's triggers ask for, in the Watchlist table: one small item for each, which
// is put before the trigger that asks and dropped some time after the last one has gone.
import { createHash } from 'node:crypto';
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, number, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { SeriesKey } from '#shared/rules/series.ts';
import { seriesAskedFor, type Trigger } from '#shared/rules/trigger.ts';
import { writeIf } from './conditional-write.ts';
import { absent, eventFromKey, type RawItem, readAll } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import { keyText } from './trigger-item.ts';

/** A series in use, and by what. */
export interface SeriesInUse {
  eventId: number;
  series: SeriesKey;
  /**
   * The series of the triggers that ask: the same, or another whose triggers have a condition on it.
   * Missing in what was written before it was noted; that is never dropped.
   */
  askedBy?: SeriesKey | undefined;
  /** Since when nobody was seen to ask, epoch milliseconds; missing while somebody does. */
  idleSince?: number | undefined;
}

/** Reads and writes of the series in use. */
export function createSeriesInUseStore(table: WatchlistTable) {
  const seriesInUse = new Entity({
    name: 'seriesInUse',
    table,
    timestamps: false,
    schema: item({
      pk: string().key(),
      sk: string().key(),
      eventId: number(),
      series: string(),
      askedBy: string().optional(),
      idleSince: number().optional(),
    }),
  });

  // A series is computed although nobody knows any more who asked for it, or since when nobody does.
  const reading = {
    attributes: {
      eventId: eventFromKey,
      series: { otherwise: seriesOf, isReadable: isSeriesOf },
      ...{ askedBy: absent, idleSince: absent },
    },
  };

  async function list(eventId: number): Promise<SeriesInUse[]> {
    const query = table
      .build(QueryCommand)
      .query({ partition: `EVENT#${eventId}`, range: { beginsWith: 'SERIES#' } })
      .options({ consistent: true });
    return (await readAll(query, seriesInUse, reading)).map(({ pk, sk, ...row }) => row);
  }

  return {
    /** Every series that the event needs, with what asks for it. */
    list,

    /** The series that the event needs, once each. */
    async of(eventId: number): Promise<SeriesKey[]> {
      return [...new Set((await list(eventId)).map(({ series }) => series))];
    },

    /** Makes the series of a trigger needed. It has to be done before the trigger is written. */
    async need(trigger: Trigger): Promise<void> {
      const { eventId, series: askedBy } = trigger;
      for (const series of seriesAskedFor(trigger)) {
        // Put as a whole, so that a mark is gone: whoever would drop it loses.
        const row = { eventId, series, askedBy };
        await seriesInUse
          .build(PutItemCommand)
          .item({ ...row, ...keyOf(row) })
          .send();
      }
    },

    /** Notes that nobody was seen to ask. @returns false when it is noted already, or dropped. */
    mark(row: SeriesInUse, now: number): Promise<boolean> {
      return writeIf(() =>
        seriesInUse
          .build(UpdateItemCommand)
          .item({ ...keyOf(row), idleSince: now })
          .options({
            condition: {
              and: [
                { attr: 'series', exists: true },
                { attr: 'idleSince', exists: false },
              ],
            },
          })
          .send(),
      );
    },

    /** Takes the mark away, unless something else has. */
    unmark(row: SeriesInUse): Promise<boolean> {
      return writeIf(() =>
        seriesInUse
          .build(UpdateItemCommand)
          .item({ ...keyOf(row), idleSince: $remove() })
          .options({ condition: { attr: 'idleSince', eq: row.idleSince ?? 0 } })
          .send(),
      );
    },

    /** Drops a series that bears the mark that was read; one that is needed again meanwhile stays. */
    drop(row: SeriesInUse): Promise<boolean> {
      return writeIf(() =>
        seriesInUse
          .build(DeleteItemCommand)
          .key(keyOf(row))
          .options({ condition: { attr: 'idleSince', eq: row.idleSince ?? 0 } })
          .send(),
      );
    },
  };
}

/** The key names the series too, unless its name is too long for one. */
function seriesOf({ sk }: RawItem): string {
  return String(sk)
    .slice('SERIES#'.length)
    .replace(/#FOR#[0-9a-f]{32}$/, '');
}

function isSeriesOf(series: unknown, raw: RawItem): boolean {
  return typeof series === 'string' && keyText(series) === seriesOf(raw);
}

/** Two long names would be too long for a key. */
function keyOf({ eventId, series, askedBy = series }: SeriesInUse): { pk: string; sk: string } {
  const asker = createHash('sha256').update(askedBy).digest('hex').slice(0, 32);
  const name = keyText(series);
  const sk = askedBy === series ? `SERIES#${name}` : `SERIES#${name}#FOR#${asker}`;
  return { pk: `EVENT#${eventId}`, sk };
}

export type SeriesInUseStore = ReturnType<typeof createSeriesInUseStore>;
