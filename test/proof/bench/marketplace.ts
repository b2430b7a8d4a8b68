/**
 * Speed of the marketplace over loopback beside Prism mocking the same OpenAPI document, and the
 * memory of a long walk. Prints a table and, last, one line of JSON. Asserts nothing.
 *
 * `--quick` keeps it under 40 s. Rates are per second of the server's own processor time (what one
 * core serves, whatever else the machine does) and per second of the clock.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMarketplace } from '#marketplace/start.ts';
import { median } from '#test/support/quantile.ts';
import { type Served, startPrism, stopGroup } from './marketplace/prism.ts';

const quick = process.argv.includes('--quick');
const measureMs = quick ? 800 : 5000;
const rounds = 3;
/** Requests before the measurement, so that compile time is not measured. */
const warmUpRequests = 5000;
const connections = 16;
const walkListings = 100_000;
const pageListings = 400;
/** Events whose first pages are asked in turn: together more text than the server keeps. */
const manyEvents = { first: 1_000, count: 2_000, listings: 21, perRequest: 100 };
const prismStartMs = quick ? 15_000 : 60_000;
const unlimited = { limit: Number.MAX_SAFE_INTEGER, window_seconds: 60 };

const pageOf = (eventId: number) => `/v1/events/${eventId}/listings?limit=20`;
const paths = {
  account: ['/v1/account'],
  /** One page again and again: its text is cached. */
  listings: [pageOf(1)],
  /** Each page is read from the store: the cache has dropped it before its turn comes again. */
  stored: Array.from({ length: manyEvents.count }, (_, i) => pageOf(manyEvents.first + i)),
};

interface Rate {
  perCpuSecond: number;
  perSecond: number;
}

/** The server part of this program: serves a file until told to stop. */
async function serve(dbFile: string): Promise<void> {
  const started = await startMarketplace({
    port: 0,
    dbFile,
    source: { kind: 'none' },
    rateLimits: { account: unlimited, listings: unlimited },
  });
  process.send?.({ url: started.url, key: started.keys.main, operator: started.keys.operator });
  process.on('message', async () => {
    await started.stop();
    process.exit(0);
  });
}

type Server = Served & { operator: string };

function startServer(dbFile: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, ['--serve', dbFile]);
    child.once('error', reject);
    child.once('message', (message) => {
      resolve({
        ...(message as Pick<Server, 'url' | 'key' | 'operator'>),
        pid: child.pid ?? 0,
        process: child,
      });
    });
  });
}

async function stopServer(served: Served): Promise<void> {
  const ended = new Promise((resolve) => served.process.once('exit', resolve));
  served.process.send('stop');
  await ended;
}

/** Fills a file in a separate process, so that the measured memory is only the service's. */
async function fill(dbFile: string): Promise<void> {
  const served = await startServer(dbFile);
  const handIn = async (ids: readonly number[], count: number) => {
    const listings = Array.from({ length: count }, (_, i) => aListing(i));
    const response = await fetch(`${served.url}/operator/observations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${served.operator}` },
      body: JSON.stringify({
        events: ids.map(anEvent),
        listing_sets: ids.map((event_id) => ({ event_id, listings })),
      }),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  await handIn([1], pageListings);
  await handIn([2], walkListings);
  const { first, count, listings, perRequest } = manyEvents;
  for (let from = first; from < first + count; from += perRequest) {
    await handIn(
      Array.from({ length: perRequest }, (_, i) => from + i),
      listings,
    );
  }
  await stopServer(served);
}

function anEvent(event_id: number) {
  return {
    event_id,
    sh_event_id: 159_000_000 + event_id,
    event_name: `Event ${event_id}`,
    event_date: '2099-01-01',
    venue: { std_venue_id: 7, venue_name: 'Hall', venue_city: 'New York', venue_state: 'NY' },
  };
}

function aListing(index: number) {
  return {
    listing_id: 13_000_000_000 + index,
    zone: `Zone ${index % 6}`,
    section: String(100 + (index % 40)),
    row: String(1 + (index % 25)),
    quantity: 1 + (index % 4),
    price: 50 + (index % 400),
  };
}

/** Processor seconds that a process has used so far. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksPerSecond = 100;
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

/** Asks the paths in turn, as fast as the server answers. */
async function measure(served: Served, paths: readonly string[]): Promise<Rate> {
  // Imported here, so that the served process does not contain the load generator.
  const { Pool } = await import('undici');
  const pool = new Pool(served.url, { connections, pipelining: 1 });
  const headers = { authorization: `Bearer ${served.key}` };
  const warmUpUntil = performance.now() + measureMs;
  let answered = 0;
  let asked = 0;
  const ask = async (until: number) => {
    while (performance.now() < until) {
      const path = paths[asked++ % paths.length] ?? '';
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
      answered += 1;
    }
  };
  const load = (ms: number) => {
    const until = performance.now() + ms;
    return Promise.all(Array.from({ length: connections }, () => ask(until)));
  };
  while (answered < warmUpRequests && performance.now() < warmUpUntil) await load(200);
  answered = 0;
  const cpuBefore = await cpuSeconds(served.pid);
  const before = performance.now();
  await load(measureMs);
  const seconds = (performance.now() - before) / 1000;
  const cpu = (await cpuSeconds(served.pid)) - cpuBefore;
  await pool.close();
  return { perCpuSecond: cpu > 0 ? answered / cpu : 0, perSecond: answered / seconds };
}

/** One kind of request, at our server and at Prism in turns: both meet the same load of the machine. */
async function compare(ours: Served, peer: Served | undefined, paths: readonly string[]) {
  const rates: Rate[] = [];
  const peers: Rate[] = [];
  for (let round = 0; round < rounds; round += 1) {
    rates.push(await measure(ours, paths));
    if (peer) peers.push(await measure(peer, paths));
  }
  return { ...medianOf(rates), peer: peer && medianOf(peers) };
}

function medianOf(rates: readonly Rate[]): Rate {
  return {
    perCpuSecond: median(rates.map((rate) => rate.perCpuSecond)),
    perSecond: median(rates.map((rate) => rate.perSecond)),
  };
}

/** A process's peak resident memory, in megabytes. */
async function peakResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024) / 1e6;
}

/** Walks all listings in pages of 1,000 and measures the time and the memory. */
async function measureWalk(dbFile: string) {
  const served = await startServer(dbFile);
  const headers = { authorization: `Bearer ${served.key}` };
  const before = performance.now();
  let rows = 0;
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&starting_after=${cursor}`;
    const response = await fetch(`${served.url}/v1/events/2/listings?limit=1000${next}`, {
      headers,
    });
    const page = (await response.json()) as { data: unknown[]; next_cursor: string | null };
    rows += page.data.length;
    cursor = page.next_cursor;
  } while (cursor !== null);
  const seconds = (performance.now() - before) / 1000;
  const peakMb = await peakResidentMb(served.pid);
  await stopServer(served);
  return { rows, seconds, peakMb };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-bench-'));
  const dbFile = join(folder, 'market.sqlite');
  await fill(dbFile);
  const walk = await measureWalk(dbFile);
  const ours = await startServer(dbFile);
  const document = await (await fetch(`${ours.url}/openapi.json`)).text();
  const started = await startPrism(folder, document, prismStartMs);
  const peer = typeof started === 'string' ? undefined : started;
  if (typeof started === 'string') console.log(`peer skipped: ${started}`);
  const account = await compare(ours, peer, paths.account);
  const listings = await compare(ours, peer, paths.listings);
  const stored = await compare(ours, peer, paths.stored);
  await stopServer(ours);
  if (peer) stopGroup(peer.process);
  rmSync(folder, { recursive: true });
  report({ account, listings, stored, walk });
}

type Compared = Rate & { peer: Rate | undefined };

function report(o: {
  account: Compared;
  listings: Compared;
  stored: Compared;
  walk: { rows: number; seconds: number; peakMb: number };
}): void {
  const row = (what: string, { peer, ...rate }: Compared) => ({
    request: what,
    'per core-second': Math.round(rate.perCpuSecond),
    'per second': Math.round(rate.perSecond),
    'Prism per core-second': peer ? Math.round(peer.perCpuSecond) : '-',
    'times Prism': peer ? Math.round((10 * rate.perCpuSecond) / peer.perCpuSecond) / 10 : '-',
  });
  console.table([
    row('GET /v1/account', o.account),
    row('GET listings, 20 rows, one page', o.listings),
    row('GET listings, 20 rows, read from the store', o.stored),
  ]);
  console.table([
    {
      walk: `${o.walk.rows} listings`,
      seconds: Math.round(o.walk.seconds * 100) / 100,
      'peak resident MB': Math.round(o.walk.peakMb),
    },
  ]);
  const rounded = (rate: Rate | undefined) => (rate ? Math.round(rate.perCpuSecond) : null);
  console.log(
    JSON.stringify({
      bench: 'marketplace',
      quick,
      account_per_core_second: rounded(o.account),
      listings_pages_per_core_second: rounded(o.listings),
      stored_pages_per_core_second: rounded(o.stored),
      account_per_second: Math.round(o.account.perSecond),
      listings_pages_per_second: Math.round(o.listings.perSecond),
      stored_pages_per_second: Math.round(o.stored.perSecond),
      walk_rows: o.walk.rows,
      walk_peak_mb: Math.round(o.walk.peakMb),
      prism_account_per_core_second: rounded(o.account.peer),
      prism_listings_per_core_second: rounded(o.listings.peer),
      prism_stored_per_core_second: rounded(o.stored.peer),
    }),
  );
}

const serveAt = process.argv.indexOf('--serve');
if (serveAt >= 0) await serve(process.argv[serveAt + 1] ?? ':memory:');
else await main();
