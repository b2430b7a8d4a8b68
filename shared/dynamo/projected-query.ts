// A query that reads only some attributes of its items: the same read units, but a fraction of the bytes and of the work.
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { WatchlistTable } from './tables.ts';

interface Query {
  params(): QueryCommandInput;
}

/** The query with these attributes, and the keys, which stand in for damaged ones. */
export function projectedQuery(table: WatchlistTable, query: Query, attributes: readonly string[]) {
  const names = ['pk', 'sk', ...attributes].map((name) => [`#${name}`, name] as const);
  const params = query.params();
  return {
    table,
    params: () => ({
      ...params,
      ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
      ExpressionAttributeNames: {
        ...params.ExpressionAttributeNames,
        ...Object.fromEntries(names),
      },
    }),
  };
}
