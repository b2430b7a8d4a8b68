// Data that stays fresh: asked again every 15 seconds while the page is seen, at once after a change, and kept on
// the screen while the connection is lost.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { UnreachableError } from '../api/errors.ts';
import { connection } from './connection.ts';
import { session } from './session.ts';

const usualEveryMs = 15_000;
/** While the connection is lost. */
export const retryEveryMs = 5_000;

export interface Live<Data> {
  /** undefined until the first answer. */
  data: ReadonlySignal<Data | undefined>;
  /** Why the newest request failed; undefined after a success. */
  error: ReadonlySignal<Error | undefined>;
  /** When the data came, epoch milliseconds; 0 before the first answer. */
  at: ReadonlySignal<number>;
}

/** Everything that is asked regularly asks again when this grows. */
const changes = signal(0);

/** Asks for all live data again: something was changed. After signing out there is nothing to ask. */
export function refreshAll(): void {
  if (typeof session.value === 'object') changes.value += 1;
}

/**
 * Data for a component. It is asked again when one of `deps` changes, and then shows nothing of the old one.
 * @param ask is aborted when nobody needs its answer any more
 * @param everyMs how often it is asked, for what is expected to change soon; when it changes, it is asked at once
 */
export function useLive<Data>(
  ask: (abort: AbortSignal) => Promise<Data>,
  deps: readonly unknown[],
  everyMs: number = usualEveryMs,
): Live<Data> {
  const live = useMemo(
    () => ({
      data: signal<Data | undefined>(undefined),
      error: signal<Error | undefined>(undefined),
      at: signal(0),
    }),
    deps,
  );
  useEffect(() => keepFresh(ask, live, everyMs), [...deps, everyMs]);
  return live;
}

type Kept<Data> = {
  data: Signal<Data | undefined>;
  error: Signal<Error | undefined>;
  at: Signal<number>;
};

/** @returns a function that stops it */
function keepFresh<Data>(
  ask: (abort: AbortSignal) => Promise<Data>,
  live: Kept<Data>,
  everyMs: number,
): () => void {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let isWanted = false;

  async function refresh(): Promise<void> {
    if (abort.signal.aborted) return;
    if (running) {
      isWanted = true;
      return;
    }
    clearTimeout(timer);
    running = true;
    isWanted = false;
    const isReached = await askOnce(ask, live, abort.signal);
    running = false;
    if (abort.signal.aborted) return;
    if (isWanted) void refresh();
    else timer = setTimeout(refreshIfSeen, isReached ? everyMs : retryEveryMs);
  }

  function refreshIfSeen(): void {
    if (document.visibilityState === 'visible') void refresh();
  }

  function onSeen(): void {
    if (Date.now() - live.at.value >= everyMs) refreshIfSeen();
  }

  document.addEventListener('visibilitychange', onSeen);
  const stop = changes.subscribe(() => void refresh());
  return () => {
    abort.abort();
    stop();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onSeen);
  };
}

/** @returns false if the API was not reached */
async function askOnce<Data>(
  ask: (abort: AbortSignal) => Promise<Data>,
  live: Kept<Data>,
  abort: AbortSignal,
): Promise<boolean> {
  try {
    const data = await ask(abort);
    if (abort.aborted) return true;
    live.data.value = data;
    live.error.value = undefined;
    live.at.value = Date.now();
    connection.found();
    return true;
  } catch (error) {
    if (abort.aborted) return true;
    live.error.value = error as Error;
    if (!(error instanceof UnreachableError)) return true;
    connection.lost();
    return false;
  }
}
