// Reads the index of unfinished work: the due items of one shard. An unreadable item is postponed for
// a day and kept, so that damaged items don't fill every page and block the others.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Entity, FormattedItem } from 'dynamodb-toolbox/entity';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { RawItem } from './attribute-readings.ts';
import { writeIf } from './conditional-write.ts';
import { shardKey } from './shard.ts';
import { type ItemReading, readPage } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** A repaired item is read again within this time. */
const putOffMs = 24 * 3_600_000;

/** The range of the index: items due by `before` (epoch ms), at most `limit`. */
interface DuePart {
  name: string;
  shard: number;
  before: number;
  limit: number;
}

/** The due items of one shard, earliest first. Safe to repeat: it changes only damaged items. */
export async function readUnfinished<E extends Entity>(
  { table, entity }: { table: WatchlistTable; entity: E },
  { name, shard, before, limit }: DuePart,
  reading: ItemReading<FormattedItem<E>> = {},
): Promise<FormattedItem<E>[]> {
  const query = table
    .build(QueryCommand)
    .query({ index: 'unfinished', partition: shardKey(name, shard), range: { lte: before } })
    .options({ limit });
  const { items, unreadable } = await readPage(query, entity, reading);
  for (const raw of unreadable) await putOff(table, raw, before + putOffMs);
  return items;
}

/** Writes without the entity, because the item doesn't fit its schema. */
async function putOff(table: WatchlistTable, { pk, sk }: RawItem, until: number): Promise<void> {
  const command = new UpdateCommand({
    TableName: table.getName(),
    Key: { pk, sk },
    UpdateExpression: 'SET nextAttemptAt = :until',
    ConditionExpression: 'attribute_exists(unfinishedShard) AND nextAttemptAt < :until',
    ExpressionAttributeValues: { ':until': until },
  });
  await writeIf(() => table.getDocumentClient().send(command));
}
