// The pages of a list, one after the other, each when a person asks for it.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ListPage } from '../api/calls.ts';

export interface FoundRows<Row> {
  /** undefined until the first answer. */
  rows: Signal<readonly Row[] | undefined>;
  error: Signal<Error | undefined>;
  isMore: Signal<boolean>;
  readMore: () => void;
}

/** @param ask for the page after a cursor */
export function usePages<Row>(
  ask: (after: string | undefined, signal: AbortSignal) => Promise<ListPage<Row>>,
): FoundRows<Row> {
  const rows = useSignal<readonly Row[] | undefined>(undefined);
  const error = useSignal<Error | undefined>(undefined);
  const next = useSignal<string | undefined>(undefined);
  const isMore = useSignal(false);
  const abort = useRef(new AbortController());

  async function read(): Promise<void> {
    try {
      const page = await ask(next.value, abort.current.signal);
      rows.value = [...(rows.value ?? []), ...page.data];
      next.value = page.next_cursor ?? undefined;
      isMore.value = page.has_more;
      error.value = undefined;
    } catch (failure) {
      if (!abort.current.signal.aborted) error.value = failure as Error;
    }
  }

  useEffect(() => {
    void read();
    return () => abort.current.abort();
  }, []);
  return { rows, error, isMore, readMore: () => void read() };
}
