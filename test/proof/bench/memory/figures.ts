/** The measurements of one invocation, and the counting of calls that overlap. */

export interface ProcessFigures {
  /** Sum over all threads of the process. */
  cpuMs: number;
  awsCalls: number;
  /** Number of sequential calls with the same total waiting time. */
  awsInTurn: number;
  outbound: number;
  outboundInTurn: number;
  /** Since the process began. */
  peakRssMb: number;
  heapMb: number;
}

/** Counts calls, and how many of them were waited for in sequence. */
export class CallClock {
  readonly #now: () => number;
  readonly #begun = new Map<object, number>();
  #calls = 0;
  #summedMs = 0;
  #busyMs = 0;
  #busySince = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get calls(): number {
    return this.#calls;
  }

  reset(): void {
    this.#begun.clear();
    this.#calls = 0;
    this.#summedMs = 0;
    this.#busyMs = 0;
  }

  begin(call: object): void {
    if (this.#begun.size === 0) this.#busySince = this.#now();
    this.#begun.set(call, this.#now());
    this.#calls += 1;
  }

  end(call: object): void {
    const begun = this.#begun.get(call);
    if (begun === undefined) return;
    this.#begun.delete(call);
    this.#summedMs += this.#now() - begun;
    if (this.#begun.size === 0) this.#busyMs += this.#now() - this.#busySince;
  }

  /** Time with any call running, in units of the mean call duration. */
  inTurn(): number {
    return this.#summedMs === 0 ? 0 : (this.#calls * this.#busyMs) / this.#summedMs;
  }
}
