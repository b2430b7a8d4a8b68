// The series that an event's triggers need, in the Watchlist table: one small item each, written
// before the trigger that needs it and dropped some time after the last such trigger is gone.
import { createHash } from 'node:crypto';
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, number, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { SeriesKey } from '#shared/rules/series.ts';
import { seriesAskedFor, type Trigger } from '#shared/rules/trigger.ts';
import { absent, eventFromKey, type RawItem } from './attribute-readings.ts';
import { writeIf } from './conditional-write.ts';
import { readAll } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import { keyText } from './trigger-item.ts';

/** A series in use, and the series that need it. */
export interface SeriesInUse {
  eventId: number;
  series: SeriesKey;
  /**
   * The series of the triggers that need it: the same one, or another whose triggers have a condition on it.
   * Missing in items written by an earlier release; those are never dropped.
   */
  askedBy?: SeriesKey | undefined;
  /** Since when no trigger was seen to need it, epoch milliseconds; missing while one does. */
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

  // If `askedBy` or `idleSince` is damaged, the series stays and is computed.
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
    /** Every series that the event needs, with the series that need it. */
    list,

    /** The series that the event needs, once each. */
    async of(eventId: number): Promise<SeriesKey[]> {
      return [...new Set((await list(eventId)).map(({ series }) => series))];
    },

    /** Records the series of triggers as needed. It must be done before the triggers are written. */
    async need(...triggers: readonly Trigger[]): Promise<void> {
      const rows = triggers.flatMap((trigger) => {
        const { eventId, series: askedBy } = trigger;
        return [...seriesAskedFor(trigger)].map((series) => ({ eventId, series, askedBy }));
      });
      const items = rows.map((row) => ({ ...row, ...keyOf(row) }));
      const once = new Map(items.map((each) => [`${each.pk} ${each.sk}`, each]));
      // Replaces whole items, which removes their marks, so a concurrent drop fails.
      await Promise.all(
        [...once.values()].map((each) => seriesInUse.build(PutItemCommand).item(each).send()),
      );
    },

    /** Records that no trigger was seen to need it. @returns false when that is already recorded, or it was dropped. */
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

    /** Removes the mark, unless that has already happened. */
    unmark(row: SeriesInUse): Promise<boolean> {
      return writeIf(() =>
        seriesInUse
          .build(UpdateItemCommand)
          .item({ ...keyOf(row), idleSince: $remove() })
          .options({ condition: { attr: 'idleSince', eq: row.idleSince ?? 0 } })
          .send(),
      );
    },

    /** Drops a series that still has the mark that was read; a series that is needed again stays. */
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

/** The key contains the series, unless its name is too long for a key. */
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
