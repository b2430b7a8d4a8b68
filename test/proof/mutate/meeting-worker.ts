// Runs contention suites in one warm thread: packages stay loaded, the project's own files are loaded anew
// for each run, with the changed text in place of a file's own.
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import * as z from 'zod';
import { runSuites } from './meeting-suite.ts';

const requestSchema = z.strictObject({
  test: z.string(),
  change: z.strictObject({ path: z.string(), text: z.string() }).optional(),
});
export type MeetingRequest = z.infer<typeof requestSchema>;

const rootUrl = new URL('../../../', import.meta.url).href;
const suiteUrl = new URL('./meeting-suite.ts', import.meta.url).href;
let round = 0;
let changed: { url: string; text: string } | undefined;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'vitest') return { url: suiteUrl, shortCircuit: true };
    const found = next(specifier, context);
    const isOurs = found.url.startsWith(rootUrl) && !found.url.includes('/node_modules/');
    return isOurs ? { ...found, url: `${found.url}?round=${round}` } : found;
  },
  load(url, context, next) {
    if (url !== changed?.url) return next(url, context);
    return {
      format: 'module',
      source: stripTypeScriptTypes(changed.text),
      shortCircuit: true,
    };
  },
});

parentPort?.on('message', async (message: unknown) => {
  const { test, change } = requestSchema.parse(message);
  round += 1;
  changed = change && {
    url: `${pathToFileURL(change.path).href}?round=${round}`,
    text: change.text,
  };
  parentPort?.postMessage(await runSuites(() => import(pathToFileURL(test).href)));
});
