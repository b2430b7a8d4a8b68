// Whether the API is reached.
import { signal } from '@preact/signals';

/** Since when it is not reached, epoch milliseconds; undefined while it is. */
export const lostSince = signal<number | undefined>(undefined);

export const connection = {
  lost(): void {
    lostSince.value ??= Date.now();
  },
  found(): void {
    lostSince.value = undefined;
  },
};
