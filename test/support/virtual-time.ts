// Time that passes only while every task sleeps: real work on real tables takes none. Programs with
// many parallel waits of seconds run as fast as their work.

/** A clock, waits on it, and the tasks that use it. */
export class VirtualTime {
  now: number;
  #awake = 0;
  #sleepers: { at: number; wake: () => void }[] = [];
  #onQuiet: (() => void) | undefined;
  #failure: unknown;

  constructor(now: number) {
    this.now = now;
  }

  /** Runs a task in parallel with the others. A task that fails ends the whole run. */
  start(task: () => Promise<void>): void {
    this.#awake += 1;
    task()
      .catch((error) => {
        this.#failure ??= error;
      })
      .finally(() => this.#rest());
  }

  /** Waits for `ms` of virtual time; only for tasks that were started here. */
  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ at: this.now + ms, wake });
      this.#rest();
    });
  }

  /** Lets time pass until every task has ended. @throws what a task threw */
  async run(): Promise<void> {
    for (;;) {
      await this.#quiet();
      if (this.#failure !== undefined) throw this.#failure;
      const [first] = this.#sleepers.sort((a, b) => a.at - b.at);
      if (!first) return;
      this.#sleepers.shift();
      this.now = Math.max(this.now, first.at);
      this.#awake += 1;
      first.wake();
    }
  }

  #rest(): void {
    this.#awake -= 1;
    if (this.#awake === 0) this.#onQuiet?.();
  }

  async #quiet(): Promise<void> {
    if (this.#awake > 0) {
      await new Promise<void>((resolve) => {
        this.#onQuiet = resolve;
      });
    }
    this.#onQuiet = undefined;
  }
}
