// Caches reads in this process. The only cache: secrets, quotas, searches and the reads
// that the alerts of one snapshot share use it.

export interface CacheOptions<Value> {
  /** Maximum age of a value, milliseconds. */
  forMs: number;
  now: () => number;
  /** Maximum number of values; the oldest is dropped first. @default no limit */
  mostValues?: number;
  /** Which values may be cached. @default all */
  keeps?: (value: Value) => boolean;
  /** Whether a failed read returns the last value, however old. @default false */
  servesStale?: boolean;
}

interface Entry<Value> {
  value: Promise<Value>;
  at: number;
}

/** A cache. Concurrent reads of one key share one read. A failure is not cached. */
export function createCache<Key, Value>(options: CacheOptions<Value>) {
  const { forMs, now, mostValues = Number.POSITIVE_INFINITY } = options;
  const { keeps = () => true, servesStale = false } = options;
  /** Ordered by time. */
  const entries = new Map<Key, Entry<Value>>();

  function replace(key: Key, before: Entry<Value>, after?: Entry<Value>): void {
    if (entries.get(key) !== before) return;
    entries.delete(key);
    if (after) entries.set(key, after);
  }

  function start(key: Key, at: number, read: () => Promise<Value>): Entry<Value> {
    const stale = servesStale ? entries.get(key) : undefined;
    const value = read().then(
      (found) => {
        if (!keeps(found)) replace(key, entry);
        return found;
      },
      (error: unknown) => {
        replace(key, entry, stale);
        if (stale) return stale.value;
        throw error;
      },
    );
    const entry = { value, at };
    return entry;
  }

  function dropOld(at: number): void {
    for (const [key, entry] of entries) {
      const isExpired = !servesStale && at - entry.at >= forMs;
      if (!isExpired && entries.size <= mostValues) break;
      entries.delete(key);
    }
  }

  return {
    /** The value of a key: cached, or read now. */
    read(key: Key, read: () => Promise<Value>): Promise<Value> {
      const at = now();
      const known = entries.get(key);
      if (known && at - known.at < forMs) return known.value;
      const entry = start(key, at, read);
      entries.delete(key);
      entries.set(key, entry);
      dropOld(at);
      return entry.value;
    },
  };
}

/** Wraps a reader in a cache of its own. */
export function cached<Key, Value>(
  read: (key: Key) => Promise<Value>,
  options: CacheOptions<Value>,
): (key: Key) => Promise<Value> {
  const cache = createCache<Key, Value>(options);
  return (key) => cache.read(key, () => read(key));
}
