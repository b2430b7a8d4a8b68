/**
 * Conformance: programs in other languages drive our marketplace and our API: the public Python client of the
 * marketplace, a strict reader in Go, and clients that generators write from both documents. If a check can't run, the
 * output says so and never says that it passed.
 */
import { join } from 'node:path';
import { type StartedMarketplace, startMarketplace } from '#marketplace/start.ts';
import { driveGeneratedClients } from './generated/clients.ts';
import { subjectsBeside } from './generated/subjects.ts';
import { observations } from './observations.ts';
import { cache, installPython, run } from './programs.ts';

const client = 'seatdata-sdk==1.2.0';
const environment = join(cache, 'conformance');
const python = join(environment, 'bin/python');
const driveMs = 180_000;

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

/** Reads every answer with types that refuse a float for an integer; returns 0 also without Go. */
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
  const hasClient = await installPython({
    ...{ subject: 'the public client', environment, args: [client] },
  });
  const generous = { limit: 10_000, window_seconds: 60 };
  const easy = await start({
    rateLimits: { events_search: generous, daily_csv: { limit: 20, window_seconds: 3600 } },
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
    const subjects = subjectsBeside({ url: easy.url, key: easy.keys.main });
    const generated = await driveGeneratedClients(subjects);
    if (!hasClient) return strictly + generated;
    const { code } = await run(python, ['-B', script, given], { timeoutMs: driveMs, show: true });
    return (code ?? 1) + strictly + generated;
  } finally {
    await easy.stop();
    await strict.stop();
  }
}

process.exitCode = await main();
