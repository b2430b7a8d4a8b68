// The keys and statuses of feeds in the due index, for steps that look at every feed but need little of it.
import { Entity } from 'dynamodb-toolbox/entity';
import { item, number, string } from 'dynamodb-toolbox/schema';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { Feed } from '#shared/polling/feed.ts';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import { eventFromKey, namedByKey, orElse } from './attribute-readings.ts';
import { projectedQuery } from './projected-query.ts';
import { leniently, readAll } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** @param partition a partition of the due index */
export async function readStatuses(
  table: WatchlistTable,
  partition: string,
): Promise<Pick<Feed, 'eventId' | 'kind' | 'status'>[]> {
  const statuses = new Entity({
    name: 'feed',
    table,
    timestamps: false,
    schema: item({
      ...{
        eventId: number().key(),
        kind: string()
          .enum(...feedKinds)
          .key(),
      },
      status: string().enum('active', 'idle', 'not_found', 'ended'),
    }),
    computeKey: ({ eventId, kind }) => ({ pk: `EVENT#${eventId}`, sk: `FEED#${kind}` }),
  });
  const reading = leniently(statuses, {
    eventId: eventFromKey,
    kind: namedByKey(({ sk }) => String(sk).split('#')[1]),
    status: orElse('active'),
  });
  const query = table.build(QueryCommand).query({ index: 'due', partition });
  const action = projectedQuery(table, query, ['eventId', 'kind', 'status']);
  return readAll(action, statuses, reading);
}
