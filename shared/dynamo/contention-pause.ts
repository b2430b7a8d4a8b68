// The pause before a lost conditional write is tried again. Writers that lost together and retry at once
// lose together again; a random pause lets them through one after the other.

const firstPauseMs = 5;
const longestPauseMs = 200;

/** Full jitter: a random share of an upper bound that doubles with each attempt. `attempt` counts from 0. */
export function pauseMsAfter(attempt: number, random: number): number {
  return random * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
}

/** Waits after an attempt that another writer won. */
export type Pause = (attempt: number) => Promise<void>;

export const pauseAfterLoss: Pause = (attempt) =>
  new Promise((resolve) => setTimeout(resolve, pauseMsAfter(attempt, Math.random())));
