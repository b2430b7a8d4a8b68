// Pages through the owner index: one owner's things of one kind, newest first.
import type { Entity, FormattedItem } from 'dynamodb-toolbox/entity';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { RawItem } from './attribute-readings.ts';
import { type PartlyRead, readPartly } from './partly-read.ts';
import { type ItemReading, readPage } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** A page of rows; `next` is the sort value to continue after, absent on the last page. */
export interface OwnedPage<Row> {
  rows: Row[];
  next?: string;
}

export interface PageRequest {
  limit: number;
  after?: string | undefined;
}

/** A row of a list, or what is readable of a damaged one. */
export type ListedRow<Row> = Sorted &
  ({ row: Row; unreadable?: undefined } | { row?: undefined; unreadable: PartlyRead<Row> });

/**
 * One page of an owner index partition, in descending order of `ownerSort`. Unreadable items are
 * reported and left out.
 */
export async function ownerIndexPage<E extends Entity>(
  table: WatchlistTable,
  entity: E,
  ownerKey: string,
  page: PageRequest,
  reading: ItemReading<FormattedItem<E>> = {},
): Promise<OwnedPage<FormattedItem<E> & Sorted>> {
  return readUntilFull(table, ownerKey, page, async (query) => {
    const { items, lastKey } = await readPage(query, entity, reading);
    // Only items with a sort value are in the index.
    return { rows: items as (FormattedItem<E> & Sorted)[], ...(lastKey && { lastKey }) };
  });
}

/** The same page with unreadable items in their places. They are reported too. */
export async function wholeOwnerIndexPage<E extends Entity>(
  table: WatchlistTable,
  entity: E,
  ownerKey: string,
  page: PageRequest,
  reading: ItemReading<FormattedItem<E>>,
): Promise<OwnedPage<ListedRow<FormattedItem<E>>>> {
  return readUntilFull(table, ownerKey, page, async (query) => {
    const { items, unreadable, lastKey } = await readPage(query, entity, reading);
    const rows: ListedRow<FormattedItem<E>>[] = [
      ...items.map((row) => ({ row, ownerSort: (row as FormattedItem<E> & Sorted).ownerSort })),
      ...unreadable.map((raw) => ({
        unreadable: readPartly(entity, raw, reading),
        ownerSort: String(raw.ownerSort),
      })),
    ];
    return {
      rows: rows.sort((a, b) => (a.ownerSort > b.ownerSort ? -1 : 1)),
      ...(lastKey && { lastKey }),
    };
  });
}

/** DynamoDB may end a page early at 1 MB, so this reads on until the page is full or the partition ends. */
async function readUntilFull<Row extends Sorted>(
  table: WatchlistTable,
  ownerKey: string,
  { limit, after: startsAfter }: PageRequest,
  read: (query: Parameters<typeof readPage>[0]) => Promise<{ rows: Row[]; lastKey?: RawItem }>,
): Promise<OwnedPage<Row>> {
  const rows: Row[] = [];
  let after = startsAfter;
  let more = true;
  while (more && rows.length <= limit) {
    const query = table
      .build(QueryCommand)
      .query({
        index: 'owner',
        partition: ownerKey,
        ...(after === undefined ? {} : { range: { lt: after } }),
      })
      .options({ reverse: true, limit: limit + 1 - rows.length });
    const found = await read(query);
    rows.push(...found.rows);
    after = found.lastKey?.ownerSort as string | undefined;
    more = found.lastKey !== undefined;
  }
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (rows.length <= limit || !last) return { rows: shown };
  return { rows: shown, next: last.ownerSort };
}

interface Sorted {
  ownerSort: string;
}
