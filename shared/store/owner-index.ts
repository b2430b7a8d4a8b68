// Pages through the owner index: one owner's things of one kind, newest first.
import type { Entity } from 'dynamodb-toolbox/entity';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { WatchlistTable } from './tables.ts';

/** A page of rows; `next` is the sort value to go on after, absent on the last page. */
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
 * early at 1 MB, so this reads on until the page is full or the partition ends.
 */
export async function ownerIndexPage<Row extends { ownerSort: string }>(
  table: WatchlistTable,
  entity: Entity,
  ownerKey: string,
  page: PageRequest,
): Promise<OwnedPage<Row>> {
  const rows: Row[] = [];
  let after = page.after;
  let more = true;
  while (more && rows.length <= page.limit) {
    const { Items = [], LastEvaluatedKey } = await table
      .build(QueryCommand)
      .entities(entity)
      .query({
        index: 'owner',
        partition: ownerKey,
        ...(after === undefined ? {} : { range: { lt: after } }),
      })
      .options({ reverse: true, limit: page.limit + 1 - rows.length })
      .send();
    rows.push(...(Items as unknown as Row[]));
    after = LastEvaluatedKey?.ownerSort as string | undefined;
    more = LastEvaluatedKey !== undefined;
  }
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  if (rows.length <= page.limit || !last) return { rows: shown };
  return { rows: shown, next: last.ownerSort };
}
