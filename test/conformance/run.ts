/**
 * Conformance: the public Python client of this API, installed from a package index into a virtual
 * environment, drives our marketplace. Says when it can't; never says that it passed when it can't.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type StartedMarketplace, startMarketplace } from '#marketplace/start.ts';

const client = 'seatdata-sdk==1.2.0';
const root = join(import.meta.dirname, '../..');
const environment = join(root, '.venv/conformance');
const python = join(environment, 'bin/python');
const installMs = 180_000;
const driveMs = 180_000;

interface Finished {
  code: number | null;
  output: string;
}

/** Runs a program to its end or its deadline; output goes to the terminal with `show`. */
function run(command: string, args: string[], o: { timeoutMs: number; show?: boolean }) {
  return new Promise<Finished>((resolve) => {
    const stdio = o.show ? 'inherit' : 'pipe';
    const child = spawn(command, args, { cwd: root, stdio, timeout: o.timeoutMs });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', (error) => resolve({ code: null, output: String(error) }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** Makes the virtual environment when it is not there yet; false when the client can't be had. */
async function installClient(): Promise<boolean> {
  if (!existsSync(python)) {
    const made = await run('python3', ['-m', 'venv', environment], { timeoutMs: installMs });
    if (made.code !== 0) {
      console.log(`conformance: skipped, no Python 3 with venv\n${made.output}`);
      return false;
    }
  }
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1'];
  const installed = await run(python, [...args, client], { timeoutMs: installMs });
  if (installed.code === 0) return true;
  console.error(installed.output.trim());
  console.log('conformance: skipped, no package index');
  return false;
}

const dayMs = 24 * 60 * 60 * 1000;
const minuteMs = 60_000;

function dateAfter(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}

function anEvent(id: number, name: string, days: number) {
  return {
    event_id: id,
    sh_event_id: 159_000_000 + id,
    vs_event_id: 5_200_000 + id,
    event_name: name,
    event_date: dateAfter(days),
    event_time: '19:30',
    tm_event_id: `TM${id}`,
    std_event_id: 4000 + id,
    venue: {
      std_venue_id: 7,
      venue_name: 'The Garden',
      venue_city: 'New York',
      venue_state: 'NY',
      venue_state_name: 'New York',
      venue_slug: 'garden',
    },
  };
}

function listing(id: number | string, over: object = {}) {
  return {
    listing_id: id,
    zone: 'Lower Bowl',
    section: '101',
    row: '3',
    quantity: 2,
    price: 80,
    ...over,
  };
}

/**
 * Seven coming events and a past one. Event 1 has 25 snapshots, 10 `sh` and 3 `vs` sales; events 3
 * to 7 have a sale each, event 2 has none.
 */
function observations() {
  const first = Date.now() - 60 * minuteMs;
  const at = (minutes: number) => new Date(first + minutes * minuteMs).toISOString();
  const seats = Array.from({ length: 12 }, (_, i) => listing(13_000_000_001 + i));
  const club = listing(13_000_000_099, { zone: 'Club', section: '201', price: 190 });
  const vs = Array.from({ length: 4 }, (_, i) =>
    listing(`VB-${i}`, { zone: '', section: 'Lower Bowl 101', row: String(i) }),
  );
  const shSets = Array.from({ length: 25 }, (_, i) => ({
    event_id: 1,
    observed_at: at(i),
    listings: [...(i < 24 ? seats : seats.slice(10)), club],
  }));
  const vsSets = [4, 3, 2, 1].map((left, i) => ({
    event_id: 1,
    source: 'vs',
    observed_at: at(2 * i),
    listings: vs.slice(0, left),
  }));
  const sales = seats.slice(0, 10).map((seat, i) => ({
    event_id: 1,
    listing_id: seat.listing_id,
    sold_at: at(i),
  }));
  const others = [3, 4, 5, 6, 7];
  return {
    events: [
      anEvent(1, 'Celtics at Knicks', 20),
      ...[2, 3, 4, 5, 6, 7].map((id) => anEvent(id, `Show ${id}`, 20 + id)),
      anEvent(8, 'A past show', -10),
    ],
    listing_sets: [
      ...shSets,
      ...vsSets,
      ...others.map((id) => ({ event_id: id, observed_at: at(0), listings: [listing(id)] })),
    ],
    sales: [...sales, ...others.map((id) => ({ event_id: id, listing_id: id, sold_at: at(1) }))],
  };
}

async function start(over: object): Promise<StartedMarketplace> {
  const marketplace = await startMarketplace({
    port: 0,
    dbFile: ':memory:',
    source: { kind: 'none' },
    onProgress: (line) => console.error(line),
    ...over,
  });
  const response = await fetch(`${marketplace.url}/operator/observations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${marketplace.keys.operator}` },
    body: JSON.stringify(observations()),
  });
  if (!response.ok) throw new Error(`the observations were refused: ${await response.text()}`);
  return marketplace;
}

/** Every answer through types that take no float for an integer; 0 too where there is no Go. */
async function readStrictly(marketplace: StartedMarketplace): Promise<number> {
  const cwd = join(import.meta.dirname, 'strict');
  const found = await run('go', ['version'], { timeoutMs: driveMs });
  if (found.code !== 0) {
    console.log('conformance: the strict reader is skipped, no Go');
    return 0;
  }
  const args = ['run', '-C', cwd, '.', marketplace.url, marketplace.keys.main];
  return (await run('go', args, { timeoutMs: driveMs, show: true })).code ?? 1;
}

async function main(): Promise<number> {
  const hasClient = await installClient();
  const generous = { limit: 10_000, window_seconds: 60 };
  const easy = await start({
    rateLimits: { events_search: generous, daily_csv: { limit: 10, window_seconds: 3600 } },
  });
  const strict = await start({
    cursorLifetimeMs: 0,
    rateLimits: { events_search: { limit: 2, window_seconds: 1 } },
  });
  try {
    const given = JSON.stringify({
      url: easy.url,
      strict_url: strict.url,
      keys: easy.keys,
      strict_keys: strict.keys,
    });
    const script = join(import.meta.dirname, 'drive.py');
    const strictly = await readStrictly(easy);
    if (!hasClient) return strictly;
    const { code } = await run(python, ['-B', script, given], { timeoutMs: driveMs, show: true });
    return (code ?? 1) || strictly;
  } finally {
    await easy.stop();
    await strict.stop();
  }
}

process.exitCode = await main();
