// What every screen needs of the whole: the owner's time zone, the pulls of today, the age of the data.
import { computed, signal } from '@preact/signals';
import type { Status } from '../api/calls.ts';

export const status = signal<Status | undefined>(undefined);

/** Where the owner's times are told; the browser's zone until the owner's is known. */
export const zone = computed(
  () => status.value?.owner.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
);
