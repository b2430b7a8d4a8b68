// Pages through the owner index: one owner's things of one kind, newest first.
import type { Entity, FormattedItem } from 'dynamodb-toolbox/entity';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
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

/**
 * One page of an owner index partition, in descending order of `ownerSort`. DynamoDB may end a page
 * early at 1 MB, so this reads on until the page is full or the partition ends. Unreadable items are
 * reported and left out.
 */
export async function ownerIndexPage<E extends Entity>(
  table: WatchlistTable,
  entity: E,
  ownerKey: string,
  page: PageRequest,
  reading: ItemReading<FormattedItem<E>> = {},
): Promise<OwnedPage<FormattedItem<E> & Sorted>> {
  const rows: (FormattedItem<E> & Sorted)[] = [];
  let after = page.after;
  let more = true;
  while (more && rows.length <= page.limit) {
    const query = table
      .build(QueryCommand)
      .query({
        index: 'owner',
        partition: ownerKey,
        ...(after === undefined ? {} : { range: { lt: after } }),
      })
      .options({ reverse: true, limit: page.limit + 1 - rows.length });
    const { items, lastKey } = await readPage(query, entity, reading);
    // Only items with a sort value are in the index.
    for (const item of items) rows.push(item as FormattedItem<E> & Sorted);
    after = lastKey?.ownerSort as string | undefined;
    more = lastKey !== undefined;
  }
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  if (rows.length <= page.limit || !last) return { rows: shown };
  return { rows: shown, next: last.ownerSort };
}

interface Sorted {
  ownerSort: string;
}
