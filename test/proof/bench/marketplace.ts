/**
 * Speed of the marketplace over loopback beside Prism mocking the same OpenAPI document, and the
 * memory of a long walk. Prints a table and, last, one line of JSON. Asserts nothing.
 *
 * `--quick` keeps it under 40 s. Rates are per second of the server's own processor time (what one
 * core serves, whatever else the machine does) and per second of the clock.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startMarketplace } from '#marketplace/start.ts';
import { median } from '#test/support/quantile.ts';

const quick = process.argv.includes('--quick');
const measureMs = quick ? 800 : 5000;
const rounds = 3;
/** So that it is not the compiler that is measured. */
const warmUpRequests = 5000;
const connections = 16;
const walkListings = 100_000;
const pageListings = 400;
const prism = '@stoplight/prism-cli@5.16.0';
const prismStartMs = quick ? 15_000 : 60_000;
const unlimited = { limit: Number.MAX_SAFE_INTEGER, window_seconds: 60 };

interface Served {
  url: string;
  pid: number;
  key: string;
  process: ChildProcess;
}

interface Rate {
  perCpuSecond: number;
  perSecond: number;
}

/** The server's side of this program: serves a file until told to stop. */
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

/** Fills a file in a process of its own, so that the served one's memory is the service's alone. */
async function fill(dbFile: string): Promise<void> {
  const served = await startServer(dbFile);
  const handIn = async (body: object) => {
    const response = await fetch(`${served.url}/operator/observations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${served.operator}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  for (const [event_id, count] of [
    [1, pageListings],
    [2, walkListings],
  ] as const) {
    await handIn({
      events: [
        {
          event_id,
          sh_event_id: 159_000_000 + event_id,
          event_name: `Event ${event_id}`,
          event_date: '2099-01-01',
          venue: { std_venue_id: 7, venue_name: 'Hall', venue_city: 'New York', venue_state: 'NY' },
        },
      ],
      listing_sets: [{ event_id, listings: Array.from({ length: count }, (_, i) => aListing(i)) }],
    });
  }
  await stopServer(served);
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

/** Asks one path as fast as the server answers. */
async function measure(served: Served, path: string): Promise<Rate> {
  // Loaded here, so that the served process does not hold the load generator.
  const { Pool } = await import('undici');
  const pool = new Pool(served.url, { connections, pipelining: 1 });
  const headers = { authorization: `Bearer ${served.key}` };
  const warmUpUntil = performance.now() + measureMs;
  let answered = 0;
  const ask = async (until: number) => {
    while (performance.now() < until) {
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

async function medianOf(served: Served, path: string): Promise<Rate> {
  const rates: Rate[] = [];
  for (let round = 0; round < rounds; round += 1) rates.push(await measure(served, path));
  return {
    perCpuSecond: median(rates.map((rate) => rate.perCpuSecond)),
    perSecond: median(rates.map((rate) => rate.perSecond)),
  };
}

/** The most memory that a process has had resident, in megabytes. */
async function peakResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024) / 1e6;
}

/** Walks all listings in pages of 1,000 and says how long it took and what it did to memory. */
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

/** Prism on our own document, or why there is none. It is fetched when asked for, never installed. */
async function startPrism(folder: string, document: string): Promise<Served | string> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, document);
  const port = await freePort();
  const args = ['--yes', '--ignore-scripts', prism, 'mock', '--port', String(port), file];
  const child = spawn('npx', args, { detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const url = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < prismStartMs && child.exitCode === null; waited += 250) {
    if (output.includes('Prism is listening')) {
      return { url, key: 'k'.repeat(64), pid: await leafOf(child.pid ?? 0), process: child };
    }
    await wait(250);
  }
  stopGroup(child);
  return output.trim().split('\n').at(-1) || 'it did not start in time';
}

/** A port that nothing listens on; Prism takes no 0. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** npx runs the program as a child of a child: the last of the line is the one that works. */
async function leafOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const first = children.trim().split(' ')[0];
  return first ? leafOf(Number(first)) : pid;
}

function stopGroup(child: ChildProcess): void {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-bench-'));
  const dbFile = join(folder, 'market.sqlite');
  await fill(dbFile);
  const ours = await startServer(dbFile);
  const paths = {
    account: '/v1/account',
    listings: '/v1/events/1/listings?limit=20',
  };
  const account = await medianOf(ours, paths.account);
  const listings = await medianOf(ours, paths.listings);
  const document = await (await fetch(`${ours.url}/openapi.json`)).text();
  await stopServer(ours);
  const walk = await measureWalk(dbFile);
  const peer = await startPrism(folder, document);
  const peerRates =
    typeof peer === 'string'
      ? undefined
      : {
          account: await medianOf(peer, paths.account),
          listings: await medianOf(peer, paths.listings),
        };
  if (typeof peer === 'string') console.log(`peer skipped: ${prism}: ${peer}`);
  else stopGroup(peer.process);
  rmSync(folder, { recursive: true });
  report({ account, listings, walk, peer: peerRates });
}

function report(o: {
  account: Rate;
  listings: Rate;
  walk: { rows: number; seconds: number; peakMb: number };
  peer: { account: Rate; listings: Rate } | undefined;
}): void {
  const row = (what: string, rate: Rate, peer: Rate | undefined) => ({
    request: what,
    'per core-second': Math.round(rate.perCpuSecond),
    'per second': Math.round(rate.perSecond),
    'Prism per core-second': peer ? Math.round(peer.perCpuSecond) : '-',
    'times Prism': peer ? Math.round((10 * rate.perCpuSecond) / peer.perCpuSecond) / 10 : '-',
  });
  console.table([
    row('GET /v1/account', o.account, o.peer?.account),
    row('GET listings, 20 rows', o.listings, o.peer?.listings),
  ]);
  console.table([
    {
      walk: `${o.walk.rows} listings`,
      seconds: Math.round(o.walk.seconds * 100) / 100,
      'peak resident MB': Math.round(o.walk.peakMb),
    },
  ]);
  console.log(
    JSON.stringify({
      bench: 'marketplace',
      quick,
      account_per_core_second: Math.round(o.account.perCpuSecond),
      listings_pages_per_core_second: Math.round(o.listings.perCpuSecond),
      account_per_second: Math.round(o.account.perSecond),
      listings_pages_per_second: Math.round(o.listings.perSecond),
      walk_rows: o.walk.rows,
      walk_peak_mb: Math.round(o.walk.peakMb),
      prism_account_per_core_second: o.peer ? Math.round(o.peer.account.perCpuSecond) : null,
      prism_listings_per_core_second: o.peer ? Math.round(o.peer.listings.perCpuSecond) : null,
    }),
  );
}

const serveAt = process.argv.indexOf('--serve');
if (serveAt >= 0) await serve(process.argv[serveAt + 1] ?? ':memory:');
else await main();
