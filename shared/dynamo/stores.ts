// Opens stores over the tables of a deployment. store-list.ts lists the stores.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as storeList from './store-list.ts';
import { openTables, type TableNames } from './tables.ts';

/** Makers of stores by the stores' names, as store-list.ts exports them. */
export type StoreMakers = Readonly<Record<string, (tables: never) => unknown>>;

/** The stores of these makers. */
export type StoresOf<Makers extends StoreMakers> = {
  [Name in keyof Makers]: ReturnType<Makers[Name]>;
};

/** Every store. A use case asks for the ones that it needs: `Pick<Stores, 'feeds' | 'watches'>`. */
export type Stores = StoresOf<typeof storeList>;

/** The names of the tables that these makers need; a function that uses only the Watchlist table knows no other. */
type NamesFor<Makers extends StoreMakers> = [Makers[keyof Makers]] extends [
  (tables: infer Tables) => unknown,
]
  ? Tables extends { snapshots: unknown }
    ? TableNames
    : Omit<TableNames, 'SNAPSHOTS_TABLE'>
  : never;

/**
 * Opens the stores over the tables of these names. Each store is made at its first
 * use, because making one adds to the start time of a function.
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
