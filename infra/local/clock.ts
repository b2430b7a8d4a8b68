/** The clock that schedules run by: real in a run, moved by hand in tests. */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once after `delayMs`; the function returned calls that off. */
  after(delayMs: number, callBack: () => void): () => void;
}

export const realClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callBack) {
    const timer = setTimeout(callBack, delayMs);
    return () => clearTimeout(timer);
  },
};
