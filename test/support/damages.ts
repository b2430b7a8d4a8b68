// Damages one value of a stored item: an item of one owner, or an item that all watches of an event share.
import { GetCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import type { TestTables } from './tables.ts';

const oddValues = [null, '', 'PST', '\u0000', -1, 1e15, true, [], {}, [null], { odd: 1 }] as const;

/** Removes a value, or replaces it. */
const change = {
  /** Selects the item's values, including nested ones. */
  place: fc.nat(1_000),
  value: fc.option(fc.constantFrom<unknown>(...oddValues), { nil: undefined }),
  /** Before or after the first alerts. */
  minute: fc.constantFrom(0, 1),
};

/** For an item that belongs to one owner. */
export const ownDamage = fc.record({
  ...change,
  entity: fc.constantFrom('trigger', 'watch', 'channel', 'owner', 'alert', 'delivery', 'wish'),
});

/** For an item that every watch of the event depends on. */
export const sharedDamage = fc.record({
  ...change,
  item: fc.constantFrom('FEED#stats', 'EVALUATION#stats', 'SERIES#', 'FACTS', 'WISH#', 'snapshot'),
});

type ValueOf<A> = A extends fc.Arbitrary<infer Value> ? Value : never;
export type OwnDamage = ValueOf<typeof ownDamage>;
export type SharedDamage = ValueOf<typeof sharedDamage>;
type Change = Pick<OwnDamage, 'place' | 'value'>;

type Item = Record<string, unknown>;

export async function damageOwn(
  tables: TestTables,
  ownerId: string,
  damage: OwnDamage,
): Promise<void> {
  const { client, names } = tables;
  const { Items = [] } = await client.send(
    new ScanCommand({
      TableName: names.WATCHLIST_TABLE,
      FilterExpression: 'entity = :entity',
      ExpressionAttributeValues: { ':entity': damage.entity },
    }),
  );
  const owned = Items.find((item) => JSON.stringify(item).includes(ownerId));
  if (owned) await damageItem(tables, names.WATCHLIST_TABLE, owned, damage);
}

export async function damageShared(
  tables: TestTables,
  eventId: number,
  damage: SharedDamage,
): Promise<void> {
  const { client, names } = tables;
  const isSnapshot = damage.item === 'snapshot';
  const TableName = isSnapshot ? names.SNAPSHOTS_TABLE : names.WATCHLIST_TABLE;
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: isSnapshot ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: {
        ':pk': isSnapshot ? `EVENT#${eventId}#stats` : `EVENT#${eventId}`,
        ...(!isSnapshot && { ':sk': damage.item }),
      },
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  const [newest] = Items;
  if (newest) await damageItem(tables, TableName, newest, damage);
}

/** DynamoDB itself checks the types of keys, also of indexes; an item without them is another item. */
const typed = new Set([
  ...['pk', 'sk', 'ownerKey', 'ownerSort', 'triggerPartition', 'triggerLevel'],
  ...['unfinishedShard', 'nextAttemptAt', 'dueShard', 'nextPollAt'],
]);

async function damageItem(
  { client }: TestTables,
  TableName: string,
  { pk, sk }: Item,
  { place, value }: Change,
): Promise<void> {
  const { Item: whole = {} } = await client.send(new GetCommand({ TableName, Key: { pk, sk } }));
  const paths = pathsIn(whole).filter(([name = '']) => !typed.has(name));
  const path = paths[place % paths.length];
  if (!path) return;
  const named = Object.fromEntries(path.map((name, index) => [`#n${index}`, name]));
  const at = Object.keys(named).join('.');
  await client.send(
    new UpdateCommand({
      ...{ TableName, Key: { pk, sk }, ExpressionAttributeNames: named },
      UpdateExpression: value === undefined ? `REMOVE ${at}` : `SET ${at} = :value`,
      ...(value !== undefined && { ExpressionAttributeValues: { ':value': value } }),
    }),
  );
}

/** Every value of an item by its path, including the maps that contain others; lists count as one value. */
function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Set) {
    return [];
  }
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...pathsIn(inner).map((path) => [name, ...path]),
  ]);
}
