/**
 * Lets dynalite close the iterators of its queries. Its streams end one by `return`, which the iterators
 * of its store don't have: without it each query keeps an iterator for good, and with it the memory and
 * the files of the store as they were then.
 */
import { requireFromDynalite } from './require-from-dynalite.ts';

interface Iterator {
  close(): Promise<void>;
  return?: () => Promise<void>;
}

type IteratorClass = { prototype: Iterator };

/** Call it before the first query. */
export function closeIterators(): void {
  const { AbstractKeyIterator, AbstractValueIterator } = requireFromDynalite(
    'abstract-level',
  ) as Record<'AbstractKeyIterator' | 'AbstractValueIterator', IteratorClass>;
  for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator]) {
    prototype.return ??= function close(this: Iterator) {
      return this.close();
    };
  }
}
