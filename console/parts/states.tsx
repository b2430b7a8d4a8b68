// What a screen shows in place of its data: while it loads, after a failure, without access.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { RefusedError } from '../api/errors.ts';

/** Nothing flashes for an answer that comes sooner. */
const quietMs = 300;

/** Appears only if the answer takes longer than 300 ms. */
export function Waiting({ what }: { what: string }) {
  const isLong = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isLong.value = true;
    }, quietMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="waiting" role="status" aria-live="polite">
      {isLong.value && <span class="muted">Loading {what} …</span>}
    </div>
  );
}

/** Says what failed, and offers to try again. */
export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  const isRefused = error instanceof RefusedError;
  const hasNoAccess = isRefused && error.status === 403;
  return (
    <div class="card blank" role="alert">
      <h1>
        {hasNoAccess
          ? 'This key has no access'
          : isRefused
            ? 'That did not work'
            : 'Getin is not reached'}
      </h1>
      <p class="muted">
        {isRefused
          ? error.message
          : 'Your alerts are sent all the same. The desk tries again by itself.'}
      </p>
      {retry && !hasNoAccess && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
