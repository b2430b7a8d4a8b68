// A walk over the whole Watchlist table, a few pages at a time: its position, the items of the next page, and
// the write that puts a displaced item back into its indexes. The caller decides when and how far to walk.
import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import { ScanCommand as ScanTableCommand } from 'dynamodb-toolbox/table/actions/scan';
import { absent, isStoredTime, orElse, type RawItem } from './attribute-readings.ts';
import { writeIf } from './conditional-write.ts';
import type { Displacement } from './index-places.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** The position of the walk. */
export interface TableWalk {
  id: string;
  /** When it began, epoch milliseconds. */
  startedAt: number;
  /** Grows with each page. */
  pages: number;
  /** The key of the last item seen; absent when the walk is over. */
  after?: Record<string, unknown> | undefined;
}

const id = 'indexes';
const neverWalked: TableWalk = { id, startedAt: 0, pages: 0 };

/** Reads and writes of the walk's position. */
export function createTableWalkStore(table: WatchlistTable) {
  const client = () => table.getDocumentClient();
  const walks = new Entity({
    name: 'tableWalk',
    table,
    timestamps: false,
    schema: item({
      id: string().key(),
      startedAt: number(),
      pages: number(),
      after: any().castAs<Record<string, unknown>>().optional(),
    }),
    computeKey: () => ({ pk: 'WALK', sk: 'WALK' }),
  });
  const reading = leniently(walks, {
    id: orElse(id),
    startedAt: orElse(0, isStoredTime),
    pages: orElse(0),
    after: { ...absent, isReadable: isKey },
  });

  return {
    /** The position of the walk; an unreadable one restarts. */
    async find(): Promise<TableWalk> {
      const action = walks.build(GetItemCommand).key({ id }).options({ consistent: true });
      return (await readOne(action, reading)) ?? neverWalked;
    },

    /** @returns false when another run advanced it since `before` was read. */
    move(before: TableWalk, after: Omit<TableWalk, 'id' | 'pages'>): Promise<boolean> {
      return writeIf(() =>
        walks
          .build(PutItemCommand)
          .item({ id, ...after, pages: before.pages + 1 })
          .options({
            condition: {
              or: [{ not: { attr: 'pages', type: 'N' } }, { attr: 'pages', eq: before.pages }],
            },
          })
          .send(),
      );
    },

    /** The items after a key, about 1 MB of them, in their stored form. */
    async page(after: RawItem | undefined): Promise<{ items: RawItem[]; next?: RawItem }> {
      const input = table.build(ScanTableCommand).params();
      const { Items: items = [], LastEvaluatedKey: next } = await client().send(
        new ScanCommand({ ...input, ...(after && { ExclusiveStartKey: { ...after } }) }),
      );
      return { items, ...(next && { next }) };
    },

    /**
     * Puts an item back into its indexes without its entity, so that other damaged attributes stay unchanged.
     * @returns false when it was changed since it was read.
     */
    putBack({ pk, sk }: RawItem, displacement: Displacement): Promise<boolean> {
      const command = new UpdateCommand({
        TableName: table.getName(),
        Key: { pk, sk },
        ...updateOf(displacement),
      });
      return writeIf(() => client().send(command));
    },
  };
}

/** Uses placeholders for names and values, because any name may be a reserved word. */
function updateOf({ changes, seen }: Displacement) {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const named = (name: string) => {
    const key = `#n${Object.keys(names).length}`;
    names[key] = name;
    return key;
  };
  const valued = (value: unknown) => {
    const key = `:v${Object.keys(values).length}`;
    values[key] = value;
    return key;
  };
  const conditions = Object.entries(seen).map(([name, value]) =>
    value === undefined
      ? `attribute_not_exists(${named(name)})`
      : `${named(name)} = ${valued(value)}`,
  );
  const entries = Object.entries(changes);
  const set = entries.filter(([, value]) => value !== undefined);
  const removed = entries.filter(([, value]) => value === undefined);
  const parts = [
    ...(set.length > 0
      ? [`SET ${set.map(([name, value]) => `${named(name)} = ${valued(value)}`).join(', ')}`]
      : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => named(name)).join(', ')}`] : []),
  ];
  return {
    UpdateExpression: parts.join(' '),
    ConditionExpression: ['attribute_exists(pk)', ...conditions].join(' AND '),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

function isKey(value: unknown): boolean {
  const { pk, sk } = Object(value) as { pk?: unknown; sk?: unknown };
  return typeof pk === 'string' && typeof sk === 'string';
}

export type TableWalkStore = ReturnType<typeof createTableWalkStore>;
