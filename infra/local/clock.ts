/** The clock of the schedules: real in a run, moved by hand in tests. */

export interface ScheduleClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `callBack` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callBack: () => void): () => void;
}

export const realClock: ScheduleClock = {
  now: () => Date.now(),
  after(delayMs, callBack) {
    const timer = setTimeout(callBack, delayMs);
    return () => clearTimeout(timer);
  },
};
