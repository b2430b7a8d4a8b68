/**
 * Lets dynalite close its query iterators. Its streams close an iterator by calling `return`, which
 * the iterators of its store lack. Without `return` each query leaks an iterator, with the memory
 * and files of the store at that time.
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
