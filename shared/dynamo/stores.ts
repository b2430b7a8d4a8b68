// Opens stores over the tables of a deployment. Which stores there are is said by store-list.ts.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as storeList from './store-list.ts';
import { openTables, type TableNames } from './tables.ts';

/** Makers of stores by the stores' names, as store-list.ts exports them. */
export type StoreMakers = Readonly<Record<string, (tables: never) => unknown>>;

/** The stores that these makers make. */
export type StoresOf<Makers extends StoreMakers> = {
  [Name in keyof Makers]: ReturnType<Makers[Name]>;
};

/** Every store. A use case asks for the ones that it needs: `Pick<Stores, 'feeds' | 'watches'>`. */
export type Stores = StoresOf<typeof storeList>;

/** The names of the tables that these makers need; a function of the Watchlist table knows no other. */
type NamesFor<Makers extends StoreMakers> = [Makers[keyof Makers]] extends [
  (tables: infer Tables) => unknown,
]
  ? Tables extends { snapshots: unknown }
    ? TableNames
    : Pick<TableNames, 'WATCHLIST_TABLE'>
  : never;

/**
 * The stores that these makers make, over the tables of these names. Each is made when it is used for the
 * first time, because making one takes a part of the time that a function needs to start.
 */
export function openStores<Makers extends StoreMakers>(
  client: DynamoDBDocumentClient,
  names: NamesFor<Makers>,
  makers: Makers,
): StoresOf<Makers> {
  const tables = openTables(client, names);
  const stores: Record<string, unknown> = {};
  for (const [name, make] of Object.entries(makers)) {
    let made: unknown;
    const get = () => {
      made ??= make(tables as never);
      return made;
    };
    Object.defineProperty(stores, name, { get, enumerable: true });
  }
  return stores as StoresOf<Makers>;
}
