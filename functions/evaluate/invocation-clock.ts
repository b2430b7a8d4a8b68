// The time that one invocation of evaluate has.

/** The invocation's clock and what is left of it, in milliseconds. */
export interface InvocationClock {
  now: () => number;
  remainingMs: () => number;
}
