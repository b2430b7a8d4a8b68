// Damages one value of a stored item: of one owner's things, or of what all watches of an event share.
import { GetCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import type { TestTables } from './tables.ts';

const oddValues = [null, '', 'PST', '\u0000', -1, 1e15, true, [], {}, [null], { odd: 1 }] as const;

/** Removes a value, or replaces it. */
const change = {
  /** Which of the item's values, nested ones too. */
  place: fc.nat(1_000),
  value: fc.option(fc.constantFrom<unknown>(...oddValues), { nil: undefined }),
  /** Before or after the first alerts. */
  minute: fc.constantFrom(0, 1),
};

/** Of an item that belongs to one owner. */
export const ownDamage = fc.record({
  ...change,
  entity: fc.constantFrom('trigger', 'watch', 'channel', 'owner', 'alert', 'delivery', 'wish'),
});

/** The items that every watch of the event depends on. */
export const sharedItems = [
  'FEED#stats',
  'EVALUATION#stats',
  'SERIES#',
  'FACTS',
  'WISH#',
  'snapshot',
] as const;

/** Of an item that every watch of the event depends on. */
export const sharedDamage = fc.record({ ...change, item: fc.constantFrom(...sharedItems) });

type ValueOf<A> = A extends fc.Arbitrary<infer Value> ? Value : never;
export type OwnDamage = ValueOf<typeof ownDamage>;
export type SharedDamage = ValueOf<typeof sharedDamage>;
type Change = Pick<OwnDamage, 'place' | 'value'>;

/** Damages one of the owner's items of a kind. @returns what was damaged; undefined where there is none. */
export async function damageOwn(
  tables: TestTables,
  ownerId: string,
  damage: OwnDamage,
): Promise<string | undefined> {
  const { client, names } = tables;
  // A run has tables of its own, which are small.
  const { Items = [] } = await client.send(
    new ScanCommand({
      TableName: names.WATCHLIST_TABLE,
      FilterExpression: 'entity = :entity',
      ExpressionAttributeValues: { ':entity': damage.entity },
    }),
  );
  const owned = Items.find((item) => JSON.stringify(item).includes(ownerId));
  return owned && damageItem(tables, names.WATCHLIST_TABLE, owned, { ...damage, keys: indexKeys });
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

/** The attributes that place an item in an index, and the one type that DynamoDB takes for each. */
const indexKeys: Readonly<Record<string, 'string' | 'number'>> = {
  ...{ ownerKey: 'string', ownerSort: 'string', triggerPartition: 'string' },
  ...{ unfinishedShard: 'string', dueShard: 'string' },
  ...{ triggerLevel: 'number', nextAttemptAt: 'number', nextPollAt: 'number' },
};

interface DamageOfItem extends Change {
  /** Index keys that may be damaged; a feed that leaves its index is polled later, by all. */
  keys?: typeof indexKeys;
}

async function damageItem(
  { client }: TestTables,
  TableName: string,
  { pk, sk }: Record<string, unknown>,
  { place, value: wanted, keys = {} }: DamageOfItem,
): Promise<string | undefined> {
  const { Item: whole = {} } = await client.send(new GetCommand({ TableName, Key: { pk, sk } }));
  const kept = (name: string) =>
    ['pk', 'sk'].includes(name) || (name in indexKeys && !(name in keys));
  const paths = pathsIn(whole).filter(([name = '']) => !kept(name));
  const path = paths[place % paths.length];
  if (!path) return undefined;
  const value = isStorable(path, wanted) ? wanted : undefined;
  const named = Object.fromEntries(path.map((name, index) => [`#n${index}`, name]));
  const at = Object.keys(named).join('.');
  await client.send(
    new UpdateCommand({
      ...{ TableName, Key: { pk, sk }, ExpressionAttributeNames: named },
      UpdateExpression: value === undefined ? `REMOVE ${at}` : `SET ${at} = :value`,
      ...(value !== undefined && { ExpressionAttributeValues: { ':value': value } }),
    }),
  );
  return `${path.join('.')} of ${pk}: ${JSON.stringify(value) ?? 'removed'}`;
}

/** DynamoDB refuses an index key of another type, and an empty one. */
function isStorable([name = '']: readonly string[], value: unknown): boolean {
  const type = indexKeys[name];
  return type === undefined || (typeof value === type && value !== '');
}

/** Every value of an item by its path, also the maps that others are in; lists are taken whole. */
function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Set) {
    return [];
  }
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...pathsIn(inner).map((path) => [name, ...path]),
  ]);
}
