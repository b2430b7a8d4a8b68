/**
 * Items sorted by a number, in buckets, so that an insert, a removal or a range read touches few of the
 * others: O(log n + k). Does not know triggers.
 */

interface Entry<T> {
  level: number;
  id: string;
  item: T;
}

const BUCKET_SIZE = 512;

/** Sorted by level, then id; each pair of level and id is unique. */
export class SortedLevels<T> {
  readonly #buckets: Entry<T>[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  put(level: number, id: string, item: T): void {
    const entry = { level, id, item };
    const bucketIndex = this.#bucketFor(level, id);
    const bucket = this.#buckets[bucketIndex];
    if (!bucket) {
      this.#buckets.push([entry]);
      this.#size += 1;
      return;
    }
    const index = firstFrom(bucket, level, id);
    const known = bucket[index];
    if (known && known.level === level && known.id === id) {
      bucket[index] = entry;
      return;
    }
    bucket.splice(index, 0, entry);
    this.#size += 1;
    if (bucket.length > BUCKET_SIZE) {
      this.#buckets.splice(bucketIndex + 1, 0, bucket.splice(BUCKET_SIZE / 2));
    }
  }

  /** @returns whether the item was present. */
  remove(level: number, id: string): boolean {
    const bucketIndex = this.#bucketFor(level, id);
    const bucket = this.#buckets[bucketIndex];
    const index = bucket ? firstFrom(bucket, level, id) : 0;
    const known = bucket?.[index];
    if (!bucket || known?.level !== level || known.id !== id) return false;
    bucket.splice(index, 1);
    if (bucket.length === 0) this.#buckets.splice(bucketIndex, 1);
    this.#size -= 1;
    return true;
  }

  /** The items at or above a level, lowest first. */
  from(level: number): T[] {
    const found: T[] = [];
    const start = this.#bucketFor(level, '');
    for (let b = start; b < this.#buckets.length; b += 1) {
      const bucket = this.#buckets[b] ?? [];
      const first = b === start ? firstFrom(bucket, level, '') : 0;
      for (let i = first; i < bucket.length; i += 1) pushItem(found, bucket[i]);
    }
    return found;
  }

  /** The items at or below a level, lowest first. */
  through(level: number): T[] {
    const found: T[] = [];
    for (const bucket of this.#buckets) {
      for (const entry of bucket) {
        if (entry.level > level) return found;
        found.push(entry.item);
      }
    }
    return found;
  }

  /** The bucket for a position: the first whose last entry is not before it. */
  #bucketFor(level: number, id: string): number {
    let [low, high] = [0, this.#buckets.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const last = this.#buckets[middle]?.at(-1);
      if (last && isBefore(last, level, id)) low = middle + 1;
      else high = middle;
    }
    return Math.min(low, Math.max(0, this.#buckets.length - 1));
  }
}

function pushItem<T>(found: T[], entry: Entry<T> | undefined): void {
  if (entry) found.push(entry.item);
}

function firstFrom<T>(bucket: Entry<T>[], level: number, id: string): number {
  let [low, high] = [0, bucket.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = bucket[middle];
    if (entry && isBefore(entry, level, id)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore<T>(entry: Entry<T>, level: number, id: string): boolean {
  return entry.level < level || (entry.level === level && entry.id < id);
}
