import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMarketplace } from '#marketplace/marketplace.ts';
import { ForeignDatabaseError, openStore } from '#marketplace/store/store.ts';
import { anEvent, openMarket, start } from '../support/market.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'market-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A file of the schema's first version: its sh listing ids are floats. */
async function writeFirstVersion(file: string): Promise<void> {
  const db = new DatabaseSync(file);
  db.exec(await readFile(join(import.meta.dirname, 'schema-1.sql'), 'utf8'));
  db.exec('PRAGMA user_version = 1');
  const listing = db.prepare(
    `INSERT INTO listings (event_id, source, listing_id, active, zone, section, row, quantity_start,
       quantity, price_cents, all_in_cents, created_at, updated_at)
     VALUES (1, ?, ?, 1, 'Lower', '101', 'A', 4, 2, 8050, NULL, ?, ?)`,
  );
  listing.run('sh', 14_000_000_006, start, start + 1);
  listing.run('vs', '00123', start, start);
  const sale = db.prepare(
    `INSERT INTO sales (event_id, source_rank, sold_at_seconds, listing_id, listing_row, returned,
       quantity, price_cents, all_in_cents, zone, section, row, norm_zone, norm_section)
     VALUES (1, ?, ?, ?, 1, 1, 2, 8000, NULL, 'Lower', '101', 'A', '', '')`,
  );
  sale.run(1, start / 1000, 14_000_000_006);
  sale.run(0, start / 1000, '00123');
  const types = db.prepare('SELECT typeof(listing_id) AS type FROM listings ORDER BY id').all();
  expect(types.map(({ type }) => type)).toEqual(['real', 'text']);
  db.close();
}

describe('a file of the first schema', () => {
  it('is migrated when it is opened, with every row', async () => {
    const file = join(await emptyFolder(), 'market.sqlite');
    await writeFirstVersion(file);
    const market = openMarket({ db: file });
    onTestFinished(() => market.close());
    const { text } = await market.get('/v1/events/1/listings');
    expect(text).toContain(
      '"data":[{"listing_id":14000000006,"active":true,"zone":"Lower","section":"101","row":"A","quantity_start":4,"quantity":2,"price":80.5,"created_at":"2026-11-27T12:00:00.000Z","updated_at":"2026-11-27T12:00:00.001Z"}]',
    );
    const sales = await market.get('/v1/events/1/sales?source=all');
    expect(sales.text).toContain('"listing_id":14000000006,');
    expect(sales.text).toContain('"listing_id":"00123",');
  });

  it('continues: a stored listing and a stored sale are recognized', async () => {
    const file = join(await emptyFolder(), 'market.sqlite');
    await writeFirstVersion(file);
    const market = openMarket({ db: file });
    onTestFinished(() => market.close());
    market.pass(60_000);
    const seat = { zone: 'Lower', section: '101', row: 'A', quantity: 2, price: 90 };
    market.list([{ listing_id: 14_000_000_006, ...seat }]);
    market.sell({ listing_id: 14_000_000_006, sold_at: '2026-11-27T12:00:00Z' });
    expect((await market.get('/v1/events/1/listings')).json.data).toHaveLength(1);
    expect((await market.get('/v1/events/1/sales')).json.total_count).toBe(1);
  });

  it('is migrated only once', async () => {
    const file = join(await emptyFolder(), 'market.sqlite');
    await writeFirstVersion(file);
    openStore(file).close();
    const store = openStore(file);
    onTestFinished(() => store.close());
    expect(store.count('SELECT count(*) AS tally FROM listings')).toBe(2);
    expect(store.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const names = (of: typeof store) =>
      of.all("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name");
    const fresh = openStore(':memory:');
    onTestFinished(() => fresh.close());
    expect(names(store)).toEqual(names(fresh));
  });
});

describe('a file of another schema', () => {
  it('is refused when it is newer, and says what to do', async () => {
    const file = join(await emptyFolder(), 'market.sqlite');
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => createMarketplace({ db: file })).toThrow(ForeignDatabaseError);
    expect(() => createMarketplace({ db: file })).toThrow(/newer marketplace .*update/);
  });

  it('is unchanged when a row cannot be migrated', async () => {
    const file = join(await emptyFolder(), 'market.sqlite');
    await writeFirstVersion(file);
    const damage = new DatabaseSync(file);
    damage.exec("UPDATE listings SET listing_id = x'00' WHERE source = 'vs'");
    damage.close();
    expect(() => openStore(file)).toThrow(/CHECK/);
    const after = new DatabaseSync(file);
    onTestFinished(() => after.close());
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    expect(after.prepare('SELECT count(*) AS n FROM listings').get()).toEqual({ n: 2 });
  });
});

it('refuses a listing id that is stored as a float', () => {
  const market = openMarket();
  market.ingest.accept({ events: [anEvent(2)] });
  const insert = () =>
    market.store.run(
      `INSERT INTO sales (event_id, source_rank, sold_at_seconds, listing_id, returned, quantity,
         price_cents, zone, section, row, norm_zone, norm_section)
       VALUES (2, 1, 0, ?, 1, 1, 1, '', '', '', '', '')`,
      5,
    );
  expect(insert).toThrow(/CHECK/);
});
