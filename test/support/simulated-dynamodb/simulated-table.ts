// One table with its indexes: what it held before the run, and what was written since.
import { type AttributeValue, bytesOf, type StoredItem } from './attribute-values.ts';
import {
  type Entry,
  entriesIn,
  insert,
  remove,
  type SortValue,
  type Span,
  type StockedPartition,
} from './sorted-entries.ts';

export interface IndexDefinition {
  name: string;
  partition: string;
  sort: string;
  /** Of the sort key; a partition is named by text. */
  type: 'S' | 'N';
  /** @default 'ALL' */
  projection?: 'ALL' | 'KEYS_ONLY';
}

/** What a table held before the run; items are made when they are read. */
export interface Stock {
  find(pk: string, sk: string): Entry | undefined;
  /** The items of a partition, in order; of the table itself if `index` is undefined. */
  partition(index: string | undefined, value: string): StockedPartition | undefined;
}

/** Write units for a partition of the table or of an index. */
export interface WrittenUnits {
  place: string;
  units: number;
}

const unitBytes = 1_024;

export function keyOf(pk: string, sk: string): string {
  return `${pk}|${sk}|${pk.length}`;
}

export class SimulatedTable {
  readonly indexes: ReadonlyMap<string, IndexDefinition>;
  readonly #stock: Stock | undefined;
  /** What was written since; undefined for a deleted item. */
  readonly #written = new Map<string, Entry | undefined>();
  readonly #partitions = new Map<string, Entry[]>();

  constructor(indexes: readonly IndexDefinition[], stock?: Stock) {
    this.indexes = new Map(indexes.map((index) => [index.name, index]));
    this.#stock = stock;
  }

  find(pk: string, sk: string): Entry | undefined {
    const key = keyOf(pk, sk);
    return this.#written.has(key) ? this.#written.get(key) : this.#stock?.find(pk, sk);
  }

  entries(index: string | undefined, value: string, span: Span): Generator<Entry> {
    return entriesIn(
      this.#partitions.get(placeOf(index, value)) ?? [],
      this.#stock?.partition(index, value),
      span,
      (key) => this.#written.has(key),
    );
  }

  /** The written items after a key, in the order of their first writing; the stock has no order over partitions. */
  *written(after?: string): Generator<Entry> {
    let isPast = after === undefined;
    for (const [key, entry] of this.#written) {
      if (isPast && entry) yield entry;
      isPast ||= key === after;
    }
  }

  /** What a write would use, by partition. */
  unitsOf(before: Entry | undefined, after: StoredItem | undefined, pk: string): WrittenUnits[] {
    const afterBytes = after ? bytesOf(after) : 0;
    const used = [{ place: placeOf(undefined, pk), units: unitsFor(before?.bytes, afterBytes) }];
    for (const index of this.indexes.values()) {
      const old = before && placeIn(before.item(), index);
      const now = after && placeIn(after, index);
      const isKeysOnly = index.projection === 'KEYS_ONLY';
      const size = (bytes: number) => unitsFor(isKeysOnly ? 100 : bytes);
      const isMoved = !old || !now || old.value !== now.value || old.sort !== now.sort;
      if (isMoved) {
        if (old)
          used.push({ place: placeOf(index.name, old.value), units: size(before?.bytes ?? 0) });
        if (now) used.push({ place: placeOf(index.name, now.value), units: size(afterBytes) });
      } else if (now && !isKeysOnly) {
        used.push({ place: placeOf(index.name, now.value), units: size(afterBytes) });
      }
    }
    return used;
  }

  put(item: StoredItem): void {
    const { pk = {}, sk = {} } = item;
    this.#replace(String(pk.S), String(sk.S), item);
  }

  delete(pk: string, sk: string): void {
    this.#replace(pk, sk, undefined);
  }

  #replace(pk: string, sk: string, item: StoredItem | undefined): void {
    const key = keyOf(pk, sk);
    const before = this.#written.get(key);
    if (before)
      for (const [place, sort] of this.#placesOf(before.item())) {
        remove(this.#partitions.get(place) ?? [], { sort, key });
      }
    const after = item && entryOf(item, sk, key);
    this.#written.set(key, after);
    if (!after || !item) return;
    for (const [place, sort] of this.#placesOf(item)) {
      const entries = this.#partitions.get(place) ?? [];
      this.#partitions.set(place, entries);
      insert(entries, { ...after, sort });
    }
  }

  *#placesOf(item: StoredItem): Generator<readonly [string, SortValue]> {
    yield [placeOf(undefined, String(item.pk?.S)), String(item.sk?.S)];
    for (const index of this.indexes.values()) {
      const place = placeIn(item, index);
      if (place) yield [placeOf(index.name, place.value), place.sort];
    }
  }
}

/** An item that is ready to be read, at a sort value. */
export function entryOf(item: StoredItem, sort: SortValue, key: string): Entry {
  let text: string | undefined;
  const read = () => {
    text ??= JSON.stringify(item);
    return text;
  };
  return { sort, key, bytes: bytesOf(item), text: read, item: () => item };
}

export function placeOf(index: string | undefined, value: string): string {
  return `${index ?? ''}|${value}`;
}

function placeIn(item: StoredItem, { partition, sort }: IndexDefinition) {
  const [value, at] = [item[partition]?.S, sortOf(item[sort])];
  return value === undefined || at === undefined ? undefined : { value, sort: at };
}

export function sortOf(value: AttributeValue | undefined): SortValue | undefined {
  return value?.N === undefined ? value?.S : Number(value.N);
}

function unitsFor(...bytes: (number | undefined)[]): number {
  return Math.max(1, Math.ceil(Math.max(...bytes.map((each) => each ?? 0)) / unitBytes));
}
