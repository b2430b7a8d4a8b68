/**
 * Small facts that must outlive a restart (cursor secret, clock anchors), by name. Not a place for
 * market data.
 */
import type { Store } from './store.ts';

function readMeta(store: Store, key: string): string | undefined {
  return store.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
}

/** The stored value, or `make()` stored and returned when there is none yet. */
export function readOrWriteMeta(store: Store, key: string, make: () => string): string {
  return store.transaction(() => {
    const known = readMeta(store, key);
    if (known !== undefined) return known;
    const value = make();
    store.run('INSERT INTO meta (key, value) VALUES (?, ?)', key, value);
    return value;
  });
}
