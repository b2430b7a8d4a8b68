// The interface through which the run reads and moves its clock.

export class RunClock {
  /** How far it is ahead of the machine, by jumps, milliseconds. */
  offsetMs = 0;
  /** Epoch milliseconds. */
  now = (): number => Math.floor(Date.now() + this.offsetMs);
}
