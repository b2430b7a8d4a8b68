// A clock that runs with the processor and skips the waits. While code computes, time passes by this thread's processor
// time, so that other work of the machine does not count; when everything waits, the clock jumps to the first wait
// that ends. What the simulation itself takes does not count.

interface Sleeper {
  at: number;
  wake: () => void;
}

/** Turns of the event loop without any new wait, after which everything is taken to be waiting. */
const quietTurns = 3;

export class SimulatedTime {
  readonly #startedAt: number;
  /** Computing before `#sharedSince`, as the clock counted it. */
  #computedMs = 0;
  /** The processor time without the simulation's own when the number of processors last changed. */
  #sharedSince = processorMs();
  #processors = 1;
  #skippedMs = 0;
  #ownMs = 0;
  #sleepers: Sleeper[] = [];
  #changes = 0;
  #isPumping = false;

  /** @param startedAt epoch milliseconds */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** Epoch milliseconds, whole. */
  readonly now = (): number => Math.floor(this.#startedAt + this.elapsedMs);

  /** Since the clock was made: waits and computing. */
  get elapsedMs(): number {
    return this.#computedMs + this.#computingMs() / this.#processors + this.#skippedMs;
  }

  /**
   * How many invocations run at the same time from now on, each on a processor of its own: the clock runs that much
   * slower while this one thread computes for all of them. They must have about equal work.
   */
  set processors(count: number) {
    this.#computedMs += this.#computingMs() / this.#processors;
    this.#sharedSince = processorMs() - this.#ownMs;
    this.#processors = Math.max(1, count);
  }

  #computingMs(): number {
    return processorMs() - this.#ownMs - this.#sharedSince;
  }

  /** The waits that were skipped. */
  get waitedMs(): number {
    return this.#skippedMs;
  }

  /** What `free` has taken. */
  get freeMs(): number {
    return this.#ownMs;
  }

  readonly sleep = (ms: number): Promise<void> =>
    new Promise((wake) => {
      this.#changes += 1;
      this.#sleepers.push({ at: this.elapsedMs + Math.max(0, ms), wake });
      this.#pump();
    });

  /** Does work of the simulation, for which the clock stands still. */
  free<Answer>(work: () => Answer): Answer {
    const from = processorMs();
    try {
      return work();
    } finally {
      this.#ownMs += processorMs() - from;
    }
  }

  /**
   * Makes `setTimeout` of this process wait by this clock, for the SDK's pauses between tries and the product's own.
   * @returns a function that restores it.
   */
  takeTimers(): () => void {
    const { setTimeout: realTimeout, clearTimeout: realClear } = globalThis;
    const cancelled = new WeakSet<object>();
    const timeout = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const handle = { unref: () => handle, ref: () => handle, hasRef: () => true };
      void this.sleep(ms).then(() => {
        if (!cancelled.has(handle)) run(...args);
      });
      return handle;
    };
    globalThis.setTimeout = Object.assign(timeout, realTimeout) as never;
    globalThis.clearTimeout = ((handle: unknown) => {
      if (typeof handle === 'object' && handle !== null) cancelled.add(handle);
    }) as never;
    return () => {
      globalThis.setTimeout = realTimeout;
      globalThis.clearTimeout = realClear;
    };
  }

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    let seen = -1;
    let quiet = 0;
    const turn = () => {
      quiet = seen === this.#changes ? quiet + 1 : 0;
      seen = this.#changes;
      if (quiet >= quietTurns) this.#wakeFirst();
      if (this.#sleepers.length > 0) setImmediate(turn);
      else this.#isPumping = false;
    };
    setImmediate(turn);
  }

  /** Wakes all that are due, after a jump to the first if none is. */
  #wakeFirst(): void {
    const first = this.#sleepers.reduce(
      (least, { at }) => Math.min(least, at),
      Number.POSITIVE_INFINITY,
    );
    this.#skippedMs += Math.max(0, first - this.elapsedMs);
    const due = this.#sleepers.filter(({ at }) => at <= first).sort((a, b) => a.at - b.at);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > first);
    this.#changes += 1;
    for (const { wake } of due) wake();
  }
}

/** The processor time of this thread, in milliseconds. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
