// Entries of one partition of a table or index, in order: those that were written, merged with those that the table
// held before, which are made only when they are read.
import { orderOfText, type StoredItem } from './attribute-values.ts';

/** A sort key's value; a partition has only numbers or only texts. */
export type SortValue = string | number;

export interface Entry {
  sort: SortValue;
  /** The item's key in the table: decides between equal sort values. */
  key: string;
  bytes: number;
  /** The item as JSON. */
  text: () => string;
  item: () => StoredItem;
}

/** What one partition held before the run, in order. Each entry is made when it is read, so a million cost nothing. */
export interface StockedPartition {
  count: number;
  entryAt(index: number): Entry;
}

export function orderOfEntries(a: Pick<Entry, 'sort' | 'key'>, b: Pick<Entry, 'sort' | 'key'>) {
  return orderOfSort(a.sort, b.sort) || orderOfText(a.key, b.key);
}

export function orderOfSort(a: SortValue, b: SortValue): number {
  return typeof a === 'number' ? a - Number(b) : orderOfText(a, String(b));
}

/** The first of `count` places at which `isFar` holds; it holds from there on. */
export function firstWhere(count: number, isFar: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isFar(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Part of a partition: entries for which neither `isBefore` nor `isAfter` holds. */
export interface Span {
  isBefore: (entry: Entry) => boolean;
  isAfter: (entry: Entry) => boolean;
  isForward: boolean;
}

/** The entries of a span in the order asked for, without the stocked ones that `isReplaced`. */
export function* entriesIn(
  written: readonly Entry[],
  stock: StockedPartition | undefined,
  span: Span,
  isReplaced: (key: string) => boolean,
): Generator<Entry> {
  const own = walk({ count: written.length, entryAt: (at) => written[at] as Entry }, span);
  const stocked = walk(stock ?? { count: 0, entryAt: () => written[0] as Entry }, span);
  const sign = span.isForward ? 1 : -1;
  let [a, b] = [own.next(), stocked.next()];
  while (!a.done || !b.done) {
    if (!b.done && isReplaced(b.value.key)) b = stocked.next();
    else if (!a.done && (b.done || sign * orderOfEntries(a.value, b.value) < 0)) {
      yield a.value;
      a = own.next();
    } else if (!b.done) {
      yield b.value;
      b = stocked.next();
    }
  }
}

function* walk(
  { count, entryAt }: StockedPartition,
  { isBefore, isAfter, isForward }: Span,
): Generator<Entry> {
  const from = firstWhere(count, (index) => !isBefore(entryAt(index)));
  const to = firstWhere(count, (index) => isAfter(entryAt(index)));
  if (isForward) for (let index = from; index < to; index += 1) yield entryAt(index);
  else for (let index = to - 1; index >= from; index -= 1) yield entryAt(index);
}

/** Puts an entry at its place; an equal one is replaced. */
export function insert(entries: Entry[], entry: Entry): void {
  const at = firstWhere(
    entries.length,
    (index) => orderOfEntries(entries[index] as Entry, entry) >= 0,
  );
  const isSame = entries[at] !== undefined && orderOfEntries(entries[at], entry) === 0;
  entries.splice(at, isSame ? 1 : 0, entry);
}

export function remove(entries: Entry[], entry: Pick<Entry, 'sort' | 'key'>): void {
  const at = firstWhere(
    entries.length,
    (index) => orderOfEntries(entries[index] as Entry, entry) >= 0,
  );
  if (entries[at] && orderOfEntries(entries[at], entry) === 0) entries.splice(at, 1);
}
