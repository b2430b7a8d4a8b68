// Keeps what was read for a while, in this process. The only cache: secrets, quotas, searches and the reads
// that alerts of one snapshot share all use it.

export interface CacheOptions<Value> {
  /** How old a value may be, milliseconds. */
  forMs: number;
  now: () => number;
  /** Values kept at most; the oldest goes first. @default no limit */
  mostValues?: number;
  /** Which values may be kept. @default all */
  keeps?: (value: Value) => boolean;
  /** Whether a failed read is answered with the last value, however old. @default false */
  servesStale?: boolean;
}

interface Entry<Value> {
  value: Promise<Value>;
  at: number;
}

export type Cache<Key, Value> = ReturnType<typeof createCache<Key, Value>>;

/** A cache. Reads of one key at the same time share one read. A failure is not kept. */
export function createCache<Key, Value>(options: CacheOptions<Value>) {
  const { forMs, now, mostValues = Number.POSITIVE_INFINITY } = options;
  const { keeps = () => true, servesStale = false } = options;
  /** In the order of their times. */
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
    /** The value of a key: the one that is kept, or what `read` answers. */
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

/** The same reader, over a cache of its own. */
export function cached<Key, Value>(
  read: (key: Key) => Promise<Value>,
  options: CacheOptions<Value>,
): (key: Key) => Promise<Value> {
  const cache = createCache<Key, Value>(options);
  return (key) => cache.read(key, () => read(key));
}
