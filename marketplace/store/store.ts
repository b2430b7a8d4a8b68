/**
 * The SQLite file of the data service: opening, schema, prepared statements, transactions.
 * Knows no table's meaning.
 */
import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite';
import { migrations } from './migrations.ts';
import { schema, schemaVersion } from './schema.ts';

/** Thrown when the file has tables other than this service's. */
export class ForeignDatabaseError extends Error {
  override readonly name = 'ForeignDatabaseError';
}

export interface Store {
  /** One prepared statement per SQL text, kept for the life of the store. */
  prepare(sql: string): StatementSync;
  /** First row or undefined. The caller states the row's type, unchecked. */
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /**
   * All rows as arrays of their columns, read at once: for texts of pages, cheaper than objects.
   */
  arrays<Row extends readonly SQLOutputValue[]>(sql: string, ...values: SQLInputValue[]): Row[];
  /** All rows, read at once. */
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  /** The value of the column `tally`. */
  count(sql: string, ...values: SQLInputValue[]): number;
  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number };
  /**
   * Runs `work` in one write transaction; a nested call joins the outer one. A throw rolls back.
   */
  transaction<T>(work: () => T): T;
  /** A number that changes when another connection has written to the file. */
  foreignWrites(): number;
  /** Like `transaction`, but always rolls back: for an answer that must cost nothing. */
  rehearse<T>(work: () => T): T;
  close(): void;
}

/** SQLite's codes for a file that another connection locks for longer than the wait. */
const lockedCodes: ReadonlySet<unknown> = new Set([5, 6]);

/** Whether another process locks the file: the same work can succeed a little later. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && lockedCodes.has(error.errcode);
}

/**
 * Opens (and on a first run creates) the database at `file`; `:memory:` keeps it in memory.
 * @throws ForeignDatabaseError when the file is not this service's database.
 */
export function openStore(file: string): Store {
  const db = new DatabaseSync(file);
  try {
    // SQLite's own `lower` handles ASCII letters only.
    db.function('fold', { deterministic: true }, (text) => String(text).toLowerCase());
    prepareFile(db, file);
  } catch (error) {
    db.close();
    throw error;
  }
  return wrap(db);
}

function prepareFile(db: DatabaseSync, file: string): void {
  db.exec('PRAGMA busy_timeout = 5000');
  const version = readVersion(db, file);
  if (version > schemaVersion) {
    throw new ForeignDatabaseError(
      `${file} was written by a newer marketplace (schema ${version}; this one reads up to ${schemaVersion}); update the marketplace or start with a new file`,
    );
  }
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4000');
  if (version === schemaVersion) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated the file while this one waited for the lock.
    bringUpToDate(db, readVersion(db, file), file);
    db.exec(`PRAGMA user_version = ${schemaVersion}; COMMIT`);
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function bringUpToDate(db: DatabaseSync, version: number, file: string): void {
  if (version > 0) {
    for (const step of migrations.slice(version - 1)) db.exec(step);
    return;
  }
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get();
  if (tables?.n !== 0) {
    throw new ForeignDatabaseError(`${file} has tables that are not the marketplace's`);
  }
  db.exec(schema);
}

function readVersion(db: DatabaseSync, file: string): number {
  try {
    return Number(db.prepare('PRAGMA user_version').get()?.user_version);
  } catch (cause) {
    throw new ForeignDatabaseError(`${file} is not a SQLite database`, { cause });
  }
}

function wrap(db: DatabaseSync): Store {
  const statements = new Map<string, StatementSync>();
  const arrayStatements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => remember(statements, sql, () => db.prepare(sql));
  const prepareArrays = (sql: string): StatementSync =>
    remember(arrayStatements, sql, () => {
      const made = db.prepare(sql);
      made.setReturnArrays(true);
      return made;
    });
  const within = createScope(prepare);
  return {
    prepare,
    get: <Row>(sql: string, ...values: SQLInputValue[]) =>
      prepare(sql).get(...values) as Row | undefined,
    arrays: <Row extends readonly SQLOutputValue[]>(sql: string, ...values: SQLInputValue[]) =>
      prepareArrays(sql).all(...values) as unknown[] as Row[],
    all: <Row>(sql: string, ...values: SQLInputValue[]) => prepare(sql).all(...values) as Row[],
    count: (sql, ...values) => Number(prepare(sql).get(...values)?.tally ?? 0),
    run: (sql, ...values) => {
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    },
    transaction: (work) => within('COMMIT', work),
    rehearse: (work) => within('ROLLBACK', work),
    foreignWrites: () => Number(prepare('PRAGMA data_version').get()?.data_version ?? 0),
    close: () => db.close(),
  };
}

/** Runs work in one write transaction; nested work joins it, and a throw rolls back. */
function createScope(prepare: (sql: string) => StatementSync) {
  let open = false;
  return <T>(end: 'COMMIT' | 'ROLLBACK', work: () => T): T => {
    if (open) return work();
    prepare('BEGIN IMMEDIATE').run();
    open = true;
    try {
      const result = work();
      prepare(end).run();
      return result;
    } catch (error) {
      prepare('ROLLBACK').run();
      throw error;
    } finally {
      open = false;
    }
  };
}

function remember<Value>(held: Map<string, Value>, key: string, make: () => Value): Value {
  const known = held.get(key);
  if (known) return known;
  const made = make();
  held.set(key, made);
  return made;
}
