/** Requires a module as dynalite does: its own parts, and its own copies of packages. */
import { createRequire } from 'node:module';

export const requireFromDynalite = createRequire(
  createRequire(import.meta.url).resolve('dynalite'),
);
