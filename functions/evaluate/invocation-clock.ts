// The clock and the remaining time of one invocation of evaluate.

/** The invocation's clock and its remaining time, in milliseconds. */
export interface InvocationClock {
  now: () => number;
  remainingMs: () => number;
}
