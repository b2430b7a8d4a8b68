// Reads the index of unfinished work: what is due in one shard. An item that can't be read is put off for
// a day and kept, so that damaged items don't fill every page and keep the others from their turn.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Entity, FormattedItem } from 'dynamodb-toolbox/entity';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { writeIf } from './conditional-write.ts';
import { shardKey } from './shard.ts';
import { type ItemReading, type RawItem, readPage } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** A repaired item takes its turn within this time. */
const putOffMs = 24 * 3_600_000;

/** Which part of the index: items due by `before` (epoch ms), `limit` at the most. */
interface DuePart {
  name: string;
  shard: number;
  before: number;
  limit: number;
}

/** What is due in one shard, earliest first. Replaying it is harmless: it changes damaged items alone. */
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

/** The write goes past the entity, whose schema the item doesn't fit. */
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
