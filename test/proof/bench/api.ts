/**
 * The cost that the API itself adds to a read of a watch: the whole app in-process with cached table
 * answers, beside a bare Hono route that sends the same bytes. And the bundle: its size, and how
 * long a fresh process takes to load it.
 *
 *   node test/proof/bench/api.ts [--quick]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Hono } from 'hono';
import { apiConfigSchema } from '#functions/api/config.ts';
import { bundleCode } from '#infra/constructs/bundle-code.ts';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { bundleEnvironment } from '#test/infra/support/bundle-environment.ts';
import { eventId, levelRule, startApi, startMs, statsAt } from '#test/support/api.ts';
import { bytesAtStart } from '#test/support/bytes-at-start.ts';
import { median, quantile } from '#test/support/quantile.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const reads = flags.quick ? 2_000 : 20_000;
const warmUp = flags.quick ? 500 : 2_000;
const loads = flags.quick ? 3 : 9;

const limits = { p99Ms: 15, bundleBytes: 1_200_000, initMs: 250 };

/**
 * A document client that caches the real client's answer to each request. The clock
 * stands still, so the same request always has the same input.
 */
function remembering(client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const answers = new Map<string, unknown>();
  const send = async (command: { input: object; constructor: { name: string } }) => {
    const question = `${command.constructor.name} ${JSON.stringify(command.input)}`;
    if (!answers.has(question)) answers.set(question, await client.send(command as never));
    return structuredClone(answers.get(question));
  };
  return { send, config: client.config } as unknown as DynamoDBDocumentClient;
}

interface Latencies {
  medianMs: number;
  p99Ms: number;
}

async function measure(request: () => Promise<unknown>): Promise<Latencies> {
  for (let round = 0; round < warmUp; round += 1) await request();
  const took: number[] = [];
  for (let round = 0; round < reads; round += 1) {
    const from = performance.now();
    await request();
    took.push(performance.now() - from);
  }
  return { medianMs: median(took), p99Ms: quantile(took, 0.99) };
}

async function measureReads(): Promise<{ api: Latencies; bare: Latencies; bytes: number }> {
  const unlimited = { requestLimit: { requests: 1e9, windowSeconds: 60 } };
  const api = await startApi(unlimited);
  await api.stores.snapshots.createAll([statsAt(startMs, 92.5, { Court: 110 })], startMs);
  const { body: watch } = await api.call('/v1/watches', {
    body: {
      event_id: eventId,
      rules: [levelRule(80), levelRule(70), { ...levelRule(100), zone: 'Court' }],
      channels: [api.ann.channelId],
    },
  });
  const inMemory = await startApi(unlimited, () =>
    openStores(remembering(api.client), api.names, everyStore),
  );
  const path = `/v1/watches/${watch.id}`;
  const headers = { authorization: `Bearer ${api.ann.key}` };
  const text = await (await inMemory.app.request(path, { headers })).text();
  if (!text.includes(watch.id)) throw new Error(`the watch was not read: ${text}`);
  const bareApp = new Hono().get('/v1/watches/:id', (context) => context.json(JSON.parse(text)));
  const read = async (app: { request: typeof inMemory.app.request }) =>
    (await app.request(path, { headers })).text();
  const bare = await measure(() => read(bareApp as never));
  const measured = await measure(() => read(inMemory.app));
  await Promise.all([api.stop(), inMemory.stop()]);
  return { api: measured, bare, bytes: Buffer.byteLength(text) };
}

/** Some value for each variable of the function's config. */
const environment = bundleEnvironment(apiConfigSchema.shape);

interface Bundle {
  /** What a start reads. */
  bytes: number;
  initMs: number;
  initCpuMs: number;
  /** The first request for watches, the largest part of the API. */
  firstMs: number;
}

/** Bundles the handler as the stack does and loads it in a new process. */
async function measureBundle(): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), 'getin-api-'));
  try {
    bundleCode(
      folder,
      fileURLToPath(new URL('../../../functions/api/handler.ts', import.meta.url)),
    );
    const loader = join(folder, 'load.mjs');
    writeFileSync(
      loader,
      `const from = performance.now();
const before = process.cpuUsage();
const { handler } = await import('./index.mjs');
const { user, system } = process.cpuUsage(before);
const loaded = performance.now();
// Without a key: it loads its part of the API, and nothing else answers.
const http = { method: 'GET', path: '/v1/watches' };
const event = { version: '2.0', rawPath: http.path, rawQueryString: '', headers: {}, requestContext: { http } };
const { statusCode } = await handler(event, {});
if (statusCode !== 401) throw new Error('It answered ' + statusCode);
process.stdout.write([loaded - from, (user + system) / 1000, performance.now() - loaded].join(' '));
process.exit(0);`,
    );
    const runs = Array.from({ length: loads }, () =>
      lastLine(loadOnce(loader)).split(' ').map(Number),
    );
    const middle = (column: number) => median(runs.map((run) => run[column] ?? Number.NaN));
    return {
      bytes: bytesAtStart(join(folder, 'index.mjs')),
      initMs: middle(0),
      initCpuMs: middle(1),
      firstMs: middle(2),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The log of the request comes before it. */
const lastLine = (printed: string) => printed.trimEnd().split('\n').at(-1) ?? '';

/** On one core if the machine supports that. */
function loadOnce(loader: string): string {
  const options = { env: { ...process.env, ...environment }, encoding: 'utf8' } as const;
  try {
    return execFileSync('taskset', ['-c', '0', process.execPath, loader], options);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
    return execFileSync(process.execPath, [loader], options);
  }
}

const { api, bare, bytes } = await measureReads();
const bundle = await measureBundle();

const figure = (ms: number) => `${ms.toFixed(3)} ms`;
console.table({
  'GET /v1/watches/{id}': { median: figure(api.medianMs), p99: figure(api.p99Ms) },
  'bare Hono route, same bytes': { median: figure(bare.medianMs), p99: figure(bare.p99Ms) },
});
console.table({
  'p99 of a watch read': { is: figure(api.p99Ms), limit: `${limits.p99Ms} ms` },
  'bundle size': { is: `${bundle.bytes} bytes`, limit: `${limits.bundleBytes} bytes` },
  'bundle init, one core, median': { is: figure(bundle.initMs), limit: `${limits.initMs} ms` },
  'of it in the processor': { is: figure(bundle.initCpuMs), limit: '' },
  'then the first request for watches': { is: figure(bundle.firstMs), limit: '' },
});
console.log(
  JSON.stringify({
    bench: 'api',
    reads,
    answer_bytes: bytes,
    p50_ms: Number(api.medianMs.toFixed(3)),
    p99_ms: Number(api.p99Ms.toFixed(3)),
    bare_hono_p50_ms: Number(bare.medianMs.toFixed(3)),
    times_bare_hono: Number((api.medianMs / bare.medianMs).toFixed(1)),
    bundle_bytes: bundle.bytes,
    init_ms: Math.round(bundle.initMs),
    init_cpu_ms: Math.round(bundle.initCpuMs),
    first_request_ms: Math.round(bundle.firstMs),
  }),
);
