// Says what to do where nothing is installed yet: without it an older Node would fail on the first `.ts`.
import { existsSync } from 'node:fs';

if (!existsSync(new URL('../../node_modules/node/package.json', import.meta.url))) {
  console.error('Nothing is installed here yet. Run `npm ci` first.');
  process.exit(2);
}
