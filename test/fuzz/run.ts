/**
 * Fuzzes the watchlist API from its own document with schemathesis, in a virtual environment of its
 * own: no 5xx, and no answer that the document does not name. Bounded in count, seeded, loopback only.
 *
 *   npm run fuzz [-- --examples N]
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { exampleIds } from '#functions/api/document/example-ids.ts';
import { notFound } from '#functions/api/problem.ts';
import { type Api, aChannel, createKey, startApi, startMs, statsAt } from '#test/support/api.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const environment = `${root}.venv/fuzz`;
const version = '4.32.5';
const installMs = 300_000;
const runMs = 900_000;

const phases = 'examples,coverage,fuzzing';

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
];

/** @returns false when Python, or a package index, is not to be had. */
function install(): boolean {
  const program = `${environment}/bin/schemathesis`;
  const isInstalled =
    existsSync(program) &&
    spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.includes(version);
  if (isInstalled) return true;
  if (spawnSync('python3', ['-m', 'venv', environment]).status !== 0) return false;
  const pip = spawnSync(
    `${environment}/bin/pip`,
    ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${version}`],
    { timeout: installMs },
  );
  return pip.status === 0;
}

/** Things that the document's examples speak of, so that fuzzing gets past the 404s. */
async function seed(api: Api): Promise<void> {
  const { ownerId } = api.ann;
  const { stores } = api;
  const createdAt = new Date(startMs).toISOString();
  await stores.channels.create(aChannel(exampleIds.channel, ownerId));
  await stores.snapshots.createAll([statsAt(startMs, 100, { 'Lower Bowl': 100 })], startMs);
  await stores.access.createOwner({ ownerId: exampleIds.owner, name: 'example', createdAt });
  await stores.watches.create({
    ...{ watchId: exampleIds.watch, ownerId, eventId: exampleIds.event },
    rules: [],
    channelIds: [exampleIds.channel],
    ...{ status: 'active', latencySeconds: 60, version: 1, createdAt, updatedAt: createdAt },
  });
}

function fuzz(url: string, key: string, examples: number): Promise<number> {
  const options = [
    ...['--config-file', fileURLToPath(new URL('schemathesis.toml', import.meta.url))],
    ...['run', `${url}/openapi.json`, '--url', url],
    ...['--header', `Authorization: Bearer ${key}`],
    ...['--checks', checks.join(','), '--phases', phases],
    ...['--max-examples', String(examples), '--seed', '8', '--workers', '1'],
    ...['--warnings', 'off', '--continue-on-failure', '--no-shrink'],
    ...['--suppress-health-check', 'all'],
  ];
  const child = spawn(`${environment}/bin/schemathesis`, options, {
    cwd: environment,
    stdio: 'inherit',
    timeout: runMs,
    env: { PATH: process.env.PATH, HOME: environment, LANG: 'C.UTF-8' },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function main(examples: number): Promise<number> {
  if (!install()) {
    console.log('fuzz: skipped, no package index');
    return 0;
  }
  const api = await startApi({
    requestLimit: { requests: 1e9, windowSeconds: 60 },
    resolveEvent: async (shEventId) => {
      if (shEventId % 2 === 0) return { eventId: exampleIds.event, pulls: 1 };
      throw notFound('event');
    },
  });
  await seed(api);
  const key = await createKey(api, api.ann.ownerId, 'admin');
  const server = serve({ fetch: api.app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const code = await fuzz(`http://127.0.0.1:${port}`, key, examples);
  const failures = api.logged.filter(({ message }) => message === 'request.failed');
  for (const { fields } of failures.slice(0, 10)) console.log(fields.error);
  await new Promise((resolve) => server.close(resolve));
  await api.stop();
  return code;
}

function readExamples(): number {
  const { values } = parseArgs({ options: { examples: { type: 'string', default: '20' } } });
  const examples = /^\d{1,4}$/.test(values.examples) ? Number(values.examples) : 0;
  if (examples >= 1 && examples <= 1_000) return examples;
  throw new TypeError('--examples must be a whole number from 1 to 1000');
}

try {
  process.exitCode = await main(readExamples());
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.error(`fuzz: ${error.message}`);
  process.exitCode = 2;
}
