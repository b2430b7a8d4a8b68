/**
 * Small facts that must survive a restart (cursor secret, clock anchors), by name. Not for market
 * data.
 */
import type { Store } from './store.ts';

function readMeta(store: Store, key: string): string | undefined {
  return store.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
}

/** The stored value; if there is none, stores and returns `make()`. */
export function readOrWriteMeta(store: Store, key: string, make: () => string): string {
  return store.transaction(() => {
    const known = readMeta(store, key);
    if (known !== undefined) return known;
    const value = make();
    store.run('INSERT INTO meta (key, value) VALUES (?, ?)', key, value);
    return value;
  });
}
