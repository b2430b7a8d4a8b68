// The log file of a run: everything that the run did and observed, with the faults counted by kind.
import { appendFileSync } from 'node:fs';

export interface LoggedFault {
  kind: string;
  /** The link or part with the fault. */
  where: string;
  /** The affected function, if there is one. */
  worker: string | undefined;
  /** Machine milliseconds, monotonic. */
  at: number;
}

export class RunLog {
  readonly faults: LoggedFault[] = [];
  readonly #file: string;
  readonly #now: () => number;
  readonly #startedAt = performance.now();

  /** @param now the run's clock. */
  constructor(file: string, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /** With the run's time, and the machine time since the run began. */
  note(line: string): void {
    const seconds = ((performance.now() - this.#startedAt) / 1_000).toFixed(2);
    appendFileSync(this.#file, `${new Date(this.#now()).toISOString()} ${seconds} s: ${line}\n`);
  }

  fault(kind: string, where: string, worker?: string): void {
    this.faults.push({ kind, where, worker, at: performance.now() });
    this.note(`fault ${kind} at ${where}`);
  }

  /** How many faults of each kind there were. */
  count(): Record<string, number> {
    const kinds = Map.groupBy(this.faults, ({ kind }) => kind);
    return Object.fromEntries([...kinds].map(([kind, faults]) => [kind, faults.length]));
  }
}
