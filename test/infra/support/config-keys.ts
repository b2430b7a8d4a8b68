/**
 * Loads each function's handler with an empty environment and prints, as JSON, which variables its
 * configuration reads. Runs in its own process.
 */
import { pathToFileURL } from 'node:url';

const [, , ...handlers] = process.argv;
Error.stackTraceLimit = 100;

/** The one variable that a function can do without: metrics outside of a stack have no stage. */
const optional = 'STAGE';

let asked = new Set<string>();

/** Only the reads of `readConfig` count: libraries read the environment too. */
function note(name: string | symbol): void {
  const isConfig = new Error().stack?.includes('shared/lambda/config.ts');
  if (isConfig && typeof name === 'string' && name !== optional) asked.add(name);
}

process.env = new Proxy({} as NodeJS.ProcessEnv, {
  get(_, name) {
    note(name);
    return undefined;
  },
  has(_, name) {
    note(name);
    return false;
  },
});

const keys: Record<string, string[]> = {};
for (const handler of handlers) {
  asked = new Set();
  const refused = await import(pathToFileURL(handler).href).then(
    () => undefined,
    (error: Error) => error,
  );
  if (refused && refused.name !== 'ConfigError') throw refused;
  if (!refused && asked.size > 0) throw new Error(`${handler} starts without what it asks for`);
  keys[handler] = [...asked].sort();
}
console.log(JSON.stringify(keys));
