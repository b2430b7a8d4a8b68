/**
 * Lets dynalite write an item and its index entries in one step. By itself it writes them one after the
 * other, so that a kill in between leaves an index that tells of an item which is not there, for good:
 * DynamoDB never does that.
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

/** The parts of dynalite's own `db` module that this is made of. */
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

/** What a write makes of an item; null where there is none. */
interface Change {
  before: Item | null;
  after: Item | null;
}

/** Call it before the first write. */
export function writeAsOne(): void {
  const db = requireFromDynalite('./db') as DynaliteDb;
  // Dynalite writes the item by itself after this, once more and to no effect.
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

/** One of the two is there, or no index entry would be. */
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
