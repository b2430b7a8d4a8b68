// Says what to do if the packages are not installed. Without this check an older Node would fail on
// the first `.ts`.
import { existsSync } from 'node:fs';

if (!existsSync(new URL('../../node_modules/node/package.json', import.meta.url))) {
  console.error('Nothing is installed here yet. Run `npm ci` first.');
  process.exit(2);
}
