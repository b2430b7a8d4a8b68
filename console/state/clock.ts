// The time that ages on the screen are told by. It moves while the page is seen.
import { signal } from '@preact/signals';

/** Moves once a second: for the few ages that are told in seconds. */
export const now = signal(Date.now());
/** Moves twice a minute: for the ages of a thousand rows. */
export const coarseNow = signal(Date.now());

const coarseMs = 30_000;

setInterval(() => {
  if (document.visibilityState !== 'visible') return;
  now.value = Date.now();
  if (now.value - coarseNow.value >= coarseMs) coarseNow.value = now.value;
}, 1_000);
