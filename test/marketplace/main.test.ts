import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { boundsOf, readInstant, readNumber } from '#marketplace/command-line.ts';
import { createMarketplace } from '#marketplace/marketplace.ts';

const folder = mkdtempSync(join(tmpdir(), 'marketplace-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the command line to its end, or sends a SIGTERM when `until` is true. */
function run(args: string[], until?: (out: string) => Promise<boolean>): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn('node', ['marketplace/main.ts', ...args]);
    let out = '';
    let err = '';
    child.stdout.on('data', async (chunk) => {
      out += chunk;
      if (until && (await until(out))) child.kill('SIGTERM');
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const keyOf = (out: string, name: string) =>
  new RegExp(`^${name} +([0-9a-f]{64})$`, 'm').exec(out)?.[1];

describe('npm run marketplace', () => {
  it.each([
    [['--bogus'], "Unknown option '--bogus'"],
    [['stray'], "Unexpected argument 'stray'"],
    [['--port', 'x'], '--port x: give an integer from 0 to 65535'],
    [['--port', '70000'], '--port 70000: give an integer from 0 to 65535'],
    [['--speed', '0'], '--speed 0: give a number from 0.001 to 1000000'],
    [['--events', '0'], '--events 0: give an integer from 1 to 100000'],
    [['--replay', 'nowhere.csv'], '--replay nowhere.csv: no such file'],
    [['--db', 'no/such/folder/x'], '--db no/such/folder/x: there is no folder no/such/folder'],
    [['import'], 'import: name the database with --db FILE'],
    [['import', '--db', join(folder, 'x')], 'import: give --catalog, --listings or --sales'],
  ])('%j is one clear line and exit code 2', async (args, line) => {
    const { code, out, err } = await run(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(`marketplace: ${line}`);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['speed', '1000001'],
    ['speed', '9'.repeat(400)],
    ['seed', '9007199254740993'],
    ['history', '367'],
    ['events', '100001'],
    ['refresh', '604801'],
    ['cursor-lifetime', '31536001'],
    ['cursor-lifetime', '-1'],
  ] as const)('--%s %.20s is out of bounds', (flag, text) => {
    expect(() => readNumber(flag, text, boundsOf[flag])).toThrow(`--${flag} ${text}: give`);
  });

  it.each([
    ...['soon', 'March 1, 2026', '2026', '2026-02-30', '2026-03-01T12:00:00', '1999-12-31'],
    ...['2100-01-02', '+020000-01-01T00:00:00Z', '0000-01-01', '', ' 2026-03-01'],
  ])('--start %j is refused as a start of the market', (text) => {
    expect(() => readInstant('start', text)).toThrow(
      `--start ${text}: give an ISO 8601 datetime such as 2026-03-01T12:00:00Z, from 2000 to 2100`,
    );
  });

  it('--start takes a date and a datetime', () => {
    expect(readInstant('start', '2026-03-01')).toBe(1_772_323_200_000);
    expect(readInstant('start', '2026-03-01T02:00:00+02:00')).toBe(1_772_323_200_000);
  });

  it('a file that is no database, and a recording without a column, are one line and exit code 2', async () => {
    const notes = file(
      'notes.txt',
      'these are notes, and long enough to be taken for a header of a file',
    );
    const foreign = await run(['--db', notes, '--no-source', '--port', '0']);
    expect(foreign).toMatchObject({
      code: 2,
      err: `marketplace: ${notes} is not a SQLite database\n`,
    });
    const short = file('short.csv', 'sh_event_id,zone\n1,a\n');
    const missing = await run(['--replay', short, '--port', '0']);
    expect(missing).toMatchObject({
      code: 2,
      err: `marketplace: ${short} has no column "event_name"\n`,
    });
  });

  it('a port in use is one line and exit code 2', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { code, err } = await run(['--no-source', '--port', String(port)]);
    expect(code).toBe(2);
    expect(err).toBe(`marketplace: port ${port} is in use; choose another with --port\n`);
    await new Promise((resolve) => server.close(resolve));
  });

  it('prints address and keys, serves, stops on a signal, and keeps keys and market after a restart', async () => {
    const db = join(folder, 'market.sqlite');
    const args = ['--db', db, '--port', '0', '--events', '3', '--seed', '5'];
    let served: unknown;
    const serve = () =>
      run(args, async (out) => {
        const url = /^marketplace +(\S+)$/m.exec(out)?.[1];
        const key = keyOf(out, 'main');
        if (!url || !key || !keyOf(out, 'operator')) return false;
        const response = await fetch(`${url}/v1/events/search`, { headers: { 'api-key': key } });
        served = await response.json();
        return true;
      });
    const first = await serve();
    expect(first.code).toBe(0);
    expect(served).toMatchObject({ data: [{}, {}, {}], has_more: false });
    const catalog = served;
    const second = await serve();
    expect(keyOf(second.out, 'main')).toBe(keyOf(first.out, 'main'));
    expect(served).toEqual(catalog);
    const other = await run(['--db', db, '--port', '0', '--events', '4', '--seed', '5']);
    expect(other.code).toBe(2);
    expect(other.err).toContain('use those settings or another file');
  });

  it('imports catalog, listings and sales, and names the skipped lines', async () => {
    const db = join(folder, 'imported.sqlite');
    const catalog = file(
      'catalog.csv',
      'event_id,sh_event_id,event_name,event_date,std_venue_id,venue_name\n1,101,"A, B",2026-12-24,7,Hall\nx,102,C,2026-12-24,7,Hall\n',
    );
    const listings = file(
      'listings.csv',
      `event_id,source,observed_at,listing_id,zone,section,row,quantity,price,all_in_price
1,sh,2026-11-27T12:00:00Z,11,Low,101,1,2,80.50,
1,sh,2026-11-27T12:00:00Z,12,Low,102,1,2,90,
1,vs,2026-11-27T12:00:00Z,77,,Low 101,1,2,81,99.5
1,vs,2026-11-27T12:05:00Z,78,,Low 102,1,2,81,
1,sh,2026-11-27T12:10:00Z,11,Low,101,1,2,"80,50",
1,sh,2026-11-27T12:10:00Z,12,Low,102,1,2,90,
1,sh,2026-11-27T12:20:00Z,12,Low,102,1,2,85,
`,
    );
    const sales = file(
      'sales.csv',
      'event_id,listing_id,sold_at,quantity\n1,11,2026-11-27T12:15:00Z,\n9,11,2026-11-27T12:15:00Z,\n',
    );
    const { code, out, err } = await run([
      'import',
      '--db',
      db,
      '--catalog',
      catalog,
      '--listings',
      listings,
      '--sales',
      sales,
    ]);
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split(/\s+/))).toEqual([
      ['events', '1'],
      ['snapshots', '2'],
      ['sales', '1'],
      ['salesInferred', '1'],
      ['ignored', '0'],
      ['skippedLines', '4'],
      [''],
    ]);
    expect(err).toContain(`${catalog}: line 3 skipped: events.0.event_id`);
    expect(err).toContain(`${listings}: lines 6 and on skipped: listing_sets.0.listings.0.price`);
    expect(err).toContain(`${sales}: line 3 skipped: sales.0.event_id: no event 9`);
  });

  it('imports while a service runs: the service keeps its waiting jobs and reads the new sections', async () => {
    const db = join(folder, 'beside.sqlite');
    const searched: string[] = [];
    const found = Promise.withResolvers<void>();
    const service = createMarketplace({
      db,
      discover: async (query) => {
        searched.push(query);
        await found.promise;
        return [];
      },
    });
    const event = {
      ...{ event_id: 1, sh_event_id: 101, event_name: 'A', event_date: '2099-12-24' },
      venue: { std_venue_id: 7, venue_name: 'Hall', venue_city: '', venue_state: '' },
    };
    const seats = { zone: '', section: 'Low 101', row: '1', quantity: 2, price: 80 };
    const list = (listings: object[]) =>
      service.ingest.accept({ listing_sets: [{ event_id: 1, source: 'vs', listings }] });
    service.ingest.accept({ events: [event] });
    list([
      { ...seats, listing_id: 'first' },
      { ...seats, listing_id: 'second', row: '2' },
    ]);
    list([{ ...seats, listing_id: 'second', row: '2' }]);
    const jobs = [service.jobs.submit(1, 'running'), service.jobs.submit(1, 'waiting')];
    const listings = file(
      'beside.csv',
      'event_id,observed_at,listing_id,zone,section,row,quantity,price\n1,2026-11-27T12:00:00Z,11,Low,101,1,2,80\n',
    );
    const { code } = await run(['import', '--db', db, '--listings', listings]);
    expect(code).toBe(0);
    const statuses = jobs.map((job) => job.taken && service.jobs.read(1, job.jobId)?.status);
    expect(statuses).toEqual(['processing', 'pending']);
    list([]);
    const sold = service.store.all(
      'SELECT norm_zone, norm_section FROM sales WHERE source_rank = 0 ORDER BY id',
    );
    expect(sold.map((row) => ({ ...(row as object) }))).toEqual([
      { norm_zone: 'Low', norm_section: '101' },
      { norm_zone: 'Low', norm_section: '101' },
    ]);
    found.resolve();
    await service.jobs.idle();
    expect(searched).toEqual(['running', 'waiting']);
    service.close();
  });

  it('imports an event whose venue is not normalized', async () => {
    const db = join(folder, 'raw.sqlite');
    const catalog = file(
      'raw.csv',
      'event_id,sh_event_id,event_name,event_date,raw_venue_name\n1,101,A,2099-12-24,Barn 9\n2,102,B,2099-12-24,\n',
    );
    const { out, err } = await run(['import', '--db', db, '--catalog', catalog]);
    expect(out).toMatch(/^events +1$/m);
    expect(err).toContain(
      'line 3 skipped: events.0.venue: give a venue, or raw_venue_name where it is not normalized',
    );
  });
});
