// Runs test files in one warm thread: packages stay loaded, the project's own files are loaded again for
// each run, with the changed text in place of a file's own.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import * as z from 'zod';
import { runSuites } from './test-suite.ts';

const requestSchema = z.strictObject({
  test: z.string(),
  change: z.strictObject({ path: z.string(), text: z.string() }).optional(),
});
export type TestRequest = z.infer<typeof requestSchema>;

const rootUrl = new URL('../../../', import.meta.url).href;
const vitestUrl = new URL('./vitest-stand-in.ts', import.meta.url).href;
const keptUrls = new Set([vitestUrl, new URL('./test-suite.ts', import.meta.url).href]);
const stripped = new Map<string, string>();
let round = 0;
let changed: { path: string; text: string } | undefined;

registerHooks({
  resolve(specifier, context, next) {
    const isRedirected = specifier === 'vitest' && context.parentURL !== vitestUrl;
    if (isRedirected) return { url: vitestUrl, shortCircuit: true };
    const found = next(specifier, context);
    const isOurs = found.url.startsWith(rootUrl) && !found.url.includes('/node_modules/');
    const isReloaded = isOurs && found.url.endsWith('.ts') && !keptUrls.has(found.url);
    return isReloaded ? { ...found, url: `${found.url}?round=${round}` } : found;
  },
  load(url, context, next) {
    if (!url.includes('.ts?round=')) return next(url, context);
    const path = fileURLToPath(url.replace(/\?round=\d+$/, ''));
    const source = path === changed?.path ? stripTypeScriptTypes(changed.text) : strippedText(path);
    return { format: 'module', source, shortCircuit: true };
  },
});

function strippedText(path: string): string {
  const text = stripped.get(path) ?? stripTypeScriptTypes(readFileSync(path, 'utf8'));
  stripped.set(path, text);
  return text;
}

/** An unhandled rejection. */
let unhandled: string | undefined;
process.on('unhandledRejection', (error) => {
  unhandled ??= `unhandled: ${error}`;
});

parentPort?.on('message', async (message: unknown) => {
  const { test, change } = requestSchema.parse(message);
  round += 1;
  changed = change;
  unhandled = undefined;
  const failure = await runSuites(() => import(pathToFileURL(test).href));
  // Node reports a rejection after the event-loop turn in which it happened.
  await new Promise((resolve) => setImmediate(resolve));
  parentPort?.postMessage(failure ?? unhandled);
});
