import { expect, it } from 'vitest';
import { requireFromDynalite } from '#infra/local/emulators/require-from-dynalite.ts';
import { writeAsOne } from '#infra/local/emulators/write-as-one.ts';

type Item = Record<string, { S?: string; N?: string }>;

interface Store {
  db: { iterator(): AsyncIterable<[key: string, value: Item]> };
}

const db = requireFromDynalite('./db') as {
  create(options: object): Store;
  updateIndexes(store: Store, table: object, ...rest: [Item | null, Item | null, () => void]): void;
};

const table = {
  TableName: 'Watchlist',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'shard', AttributeType: 'S' },
    { AttributeName: 'dueAt', AttributeType: 'N' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'due',
      KeySchema: [
        { AttributeName: 'shard', KeyType: 'HASH' },
        { AttributeName: 'dueAt', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
};
const due = (at: string): Item => ({ pk: { S: 'a' }, shard: { S: 's' }, dueAt: { N: at } });

it('writes an item and its index entries atomically', async () => {
  writeAsOne();
  const store = db.create({});
  const write = (before: Item | null, after: Item | null): Promise<void> =>
    new Promise((resolve) => db.updateIndexes(store, table, before, after, resolve));
  // Skip the next step of dynalite, its own write of the item.
  await write(null, due('1'));
  expect(await everything(store)).toEqual([
    ['index-global~Watchlist~due', due('1')],
    ['item-Watchlist', due('1')],
  ]);
  await write(due('1'), due('2'));
  expect(await everything(store)).toEqual([
    ['index-global~Watchlist~due', due('2')],
    ['item-Watchlist', due('2')],
  ]);
  await write(due('2'), null);
  expect(await everything(store)).toEqual([]);
});

async function everything({ db: level }: Store): Promise<[place: string, item: Item][]> {
  const found: [string, Item][] = [];
  for await (const [key, item] of level.iterator()) {
    found.push([key.slice(0, key.lastIndexOf('~')), item]);
  }
  return found;
}
