/**
 * Lets dynalite write an item and its index entries atomically. By default it writes them one after
 * the other, so a kill in between leaves an index entry without its item, which DynamoDB never
 * does.
 */
import { requireFromDynalite } from './require-from-dynalite.ts';

type Item = Record<string, unknown>;
type Done = (error?: Error | null) => void;
type Operation = { type: 'del'; key: string } | { type: 'put'; key: string; value: Item };

interface Index {
  IndexName: string;
}

interface Table {
  TableName: string;
  LocalSecondaryIndexes?: Index[];
  GlobalSecondaryIndexes?: Index[];
}

interface IndexActions {
  puts: { index: string; key: string; item: Item }[];
  deletes: { index: string; key: string }[];
}

/** The parts of dynalite's own `db` module that this file uses. */
interface DynaliteDb {
  updateIndexes(
    store: Store,
    table: Table,
    before: Item | null,
    after: Item | null,
    done: Done,
  ): void;
  getIndexActions(
    indexes: Index[],
    before: Item | null,
    after: Item | null,
    table: Table,
  ): IndexActions;
  createKey(item: Item, table: Table): string;
}

interface Store {
  db: { batch(operations: Operation[], done: Done): void };
}

/** An item before and after a write; null if it does not exist. */
interface Change {
  before: Item | null;
  after: Item | null;
}

/** Call it before the first write. */
export function writeAsOne(): void {
  const db = requireFromDynalite('./db') as DynaliteDb;
  // Dynalite then writes the item a second time, which changes nothing.
  db.updateIndexes = (store, table, before, after, done) => {
    const entries = indexOperations(db, table, { before, after });
    if (entries.length === 0) return done();
    store.db.batch([...entries, itemOperation(db, table, { before, after })], done);
  };
}

function indexOperations(db: DynaliteDb, table: Table, { before, after }: Change): Operation[] {
  return (['Local', 'Global'] as const).flatMap((kind) => {
    const indexes = table[`${kind}SecondaryIndexes`] ?? [];
    const { puts, deletes } = db.getIndexActions(indexes, before, after, table);
    const place = `index-${kind.toLowerCase()}~${table.TableName}`;
    return [
      ...deletes.map(({ index, key }) => deleting(`${place}~${index}~${key}`)),
      ...puts.map(({ index, key, item }) => putting(`${place}~${index}~${key}`, item)),
    ];
  });
}

/** An index entry implies that at least one of the two exists. */
function itemOperation(db: DynaliteDb, table: Table, { before, after }: Change): Operation {
  const key = `item-${table.TableName}~${db.createKey(after ?? before ?? {}, table)}`;
  return after ? putting(key, after) : deleting(key);
}

function deleting(key: string): Operation {
  return { type: 'del', key };
}

function putting(key: string, value: Item): Operation {
  return { type: 'put', key, value };
}
