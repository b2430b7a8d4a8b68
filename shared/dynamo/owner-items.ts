// Everything stored of an owner, item by item in its stored form, so that damaged items are exported and deleted too.
// shared/watchlist/owner-data.ts lists the kinds of items.
import { DeleteCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { OwnerList } from '#shared/watchlist/owner-data.ts';
import type { RawItem } from './attribute-readings.ts';
import type { WatchlistTable } from './tables.ts';

/** Requests at a time. */
const atOnce = 25;

/** The key of an item. */
export interface ItemKey {
  pk: string;
  sk: string;
}

/** Reads and deletions, without any entity. */
export function createOwnerItemStore(table: WatchlistTable) {
  const client = () => table.getDocumentClient();

  async function query(
    index: { name?: string; attribute: string; value: string },
    also: {
      limit?: number;
      startKey?: RawItem | undefined;
      after?: string | undefined;
      isKeysOnly?: boolean;
    } = {},
  ): Promise<{ items: RawItem[]; lastKey?: RawItem | undefined }> {
    const { limit, startKey, after, isKeysOnly = false } = also;
    const { Items: items = [], LastEvaluatedKey: lastKey } = await client().send(
      new QueryCommand({
        TableName: table.getName(),
        ...(index.name === undefined ? { ConsistentRead: true } : { IndexName: index.name }),
        KeyConditionExpression:
          after === undefined ? '#a = :value' : '#a = :value AND ownerSort < :after',
        ExpressionAttributeNames: { '#a': index.attribute },
        ExpressionAttributeValues: {
          ':value': index.value,
          ...(after !== undefined && { ':after': after }),
        },
        ...(index.name !== undefined && { ScanIndexForward: false }),
        ...(isKeysOnly && { ProjectionExpression: 'pk, sk' }),
        ...(limit !== undefined && { Limit: limit }),
        ...(startKey && { ExclusiveStartKey: { ...startKey } }),
      }),
    );
    return { items, lastKey };
  }

  /** Every item of a partition, or only their keys. */
  async function readPartition(pk: string, isKeysOnly = false): Promise<RawItem[]> {
    const found: RawItem[] = [];
    let startKey: RawItem | undefined;
    do {
      const page = await query({ attribute: 'pk', value: pk }, { startKey, isKeysOnly });
      found.push(...page.items);
      startKey = page.lastKey;
    } while (startKey);
    return found;
  }

  return {
    partition: (pk: string) => readPartition(pk),

    /** The keys of every item of a partition. */
    keysIn: (pk: string) => readPartition(pk, true),

    /** The owner's items of a list, the newest first; `next` is the sort value to continue after. */
    async list(
      ownerId: string,
      list: OwnerList,
      { limit, after }: { limit: number; after?: string | undefined },
    ): Promise<{ items: RawItem[]; next?: string }> {
      const index = { name: 'owner', attribute: 'ownerKey', value: `${ownerId}#${list}` };
      const { items, lastKey } = await query(index, { limit, after });
      return { items, ...(lastKey && { next: String(lastKey.ownerSort) }) };
    },

    /** The items of these keys that exist. */
    async found(keys: readonly ItemKey[]): Promise<RawItem[]> {
      const found: RawItem[] = [];
      await eachOf(keys, async ({ pk, sk }) => {
        const key = { TableName: table.getName(), Key: { pk, sk }, ConsistentRead: true };
        const { Item } = await client().send(new GetCommand(key));
        if (Item) found.push(Item);
      });
      return found;
    },

    /** Removes items; a repeat changes nothing. The last ones go last, so that a list still leads to the others. */
    async remove(items: readonly (ItemKey | RawItem)[], last?: ItemKey | RawItem): Promise<void> {
      const isLast = ({ pk, sk }: ItemKey | RawItem) => pk === last?.pk && sk === last?.sk;
      const others = items.filter((each) => !isLast(each));
      await eachOf(others, removeOne);
      if (last) await removeOne(last);
    },
  };

  function removeOne({ pk, sk }: ItemKey | RawItem) {
    return client().send(new DeleteCommand({ TableName: table.getName(), Key: { pk, sk } }));
  }
}

export type OwnerItemStore = ReturnType<typeof createOwnerItemStore>;

/** Some requests at a time. */
async function eachOf<Item>(
  items: readonly Item[],
  send: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < items.length; start += atOnce) {
    await Promise.all(items.slice(start, start + atOnce).map(send));
  }
}

/** The items that are about an owner's costs: a sum per UTC day. */
export function ownerDayKeys(ownerId: string, days: readonly string[]): ItemKey[] {
  return days.map((day) => ({ pk: `BUDGET#${day}`, sk: `OWNER#${ownerId}` }));
}
