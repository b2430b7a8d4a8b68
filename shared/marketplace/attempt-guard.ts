/**
 * Ends an attempt when the caller aborts, its own time is up or the whole call's deadline comes,
 * and remembers which of them it was. Knows nothing of HTTP.
 */

/** Bounds of one call; a walk's count for the whole walk. */
export interface CallOptions {
  /** Aborts the call; what it rejects with is the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Epoch milliseconds, by the client's clock, at which the call must be over. No wait reaches past
   * it. In a Lambda: now + remaining time − what the rest of the work needs.
   */
  deadlineMs?: number | undefined;
}

export type Ending = 'caller' | 'timeout' | 'deadline';

export interface AttemptGuard {
  signal: AbortSignal;
  /** Why the signal fired, if it did. */
  ending(): Ending | undefined;
  /** Frees the timer and the listener; call it in any case. */
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
