/**
 * Lets dynalite's store read a key synchronously. By default each read goes through another thread,
 * which costs more than the read: a key is in memory, or in the machine's page cache.
 */
import { requireFromDynalite } from './require-from-dynalite.ts';

interface Level {
  _get(key: unknown, options: unknown): Promise<unknown>;
  _getSync(key: unknown, options: unknown): unknown;
}

/** Call it before the first read. */
export function readAtOnce(): void {
  const { Level } = requireFromDynalite('level') as { Level: { prototype: Level } };
  Level.prototype._get = async function get(this: Level, key, options) {
    return this._getSync(key, options);
  };
}
