/** What dynalite itself gets when it requires a module: its own parts, and its own copies of packages. */
import { createRequire } from 'node:module';

export const requireFromDynalite = createRequire(
  createRequire(import.meta.url).resolve('dynalite'),
);
