// `npm run lint` runs this after Biome. It prints dropped promises, and fails if there are any.
import { join } from 'node:path';
import { findUnusedPromises } from './unused-promises.ts';

const root = join(import.meta.dirname, '../../..');
const configs = ['tsconfig.json', 'infra/tsconfig.json'].map((name) => join(root, name));
const found = findUnusedPromises(root, configs);
for (const line of found) console.error(line);
if (found.length > 0) {
  console.error(
    `${found.length} promises are dropped: await them, return them, or write \`void\`.`,
  );
  process.exitCode = 1;
}
