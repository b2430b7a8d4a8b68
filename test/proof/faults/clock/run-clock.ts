// The clock of a run as the run itself reads and moves it.

export class RunClock {
  /** How far it is ahead of the machine: what was jumped over, milliseconds. */
  offsetMs = 0;
  /** Epoch milliseconds. */
  now = (): number => Math.floor(Date.now() + this.offsetMs);
}
