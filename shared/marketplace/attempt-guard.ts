/**
 * Ends an attempt when the caller aborts, the attempt times out or the call's deadline passes, and
 * records which of these happened. Knows nothing of HTTP.
 */

/** Limits of one call; for a walk, they apply to the whole walk. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Epoch milliseconds on the client's clock by which the call must be over; no wait goes past it.
   * In a Lambda: now + remaining time − the time that the rest of the work needs.
   */
  deadlineMs?: number | undefined;
}

export type Ending = 'caller' | 'timeout' | 'deadline';

export interface AttemptGuard {
  signal: AbortSignal;
  /** Why the signal fired, if it did. */
  ending(): Ending | undefined;
  /** Frees the timer and the listener; always call it. */
  close(): void;
}

/** Opens a guard at `nowMs`; the sooner of `timeoutMs` and the deadline applies. */
export function guardAttempt(options: CallOptions, nowMs: number, timeoutMs: number): AttemptGuard {
  const controller = new AbortController();
  let ending: Ending | undefined;
  const end = (why: Ending) => {
    ending ??= why;
    controller.abort();
  };
  const remainingMs = (options.deadlineMs ?? Number.POSITIVE_INFINITY) - nowMs;
  const isDeadlineSooner = remainingMs <= timeoutMs;
  const timer = setTimeout(
    () => end(isDeadlineSooner ? 'deadline' : 'timeout'),
    Math.max(0, isDeadlineSooner ? remainingMs : timeoutMs),
  );
  const onCallerAbort = () => end('caller');
  options.signal?.addEventListener('abort', onCallerAbort, { once: true });
  if (options.signal?.aborted) onCallerAbort();
  return {
    signal: controller.signal,
    ending: () => ending,
    close: () => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onCallerAbort);
    },
  };
}
