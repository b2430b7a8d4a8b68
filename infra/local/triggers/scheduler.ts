/**
 * Fires one schedule: at once when it starts, then at each slot of the clock. A missed slot (the
 * machine slept) is skipped.
 */
import { randomUUID } from 'node:crypto';
import type { ScheduleClock } from '../clock.ts';

export interface SchedulerOptions {
  scheduleArn: string;
  /** Time between two firings, already scaled to the run's tick. */
  intervalMs: number;
  /** The target's input, with Scheduler's context attributes not yet replaced. */
  input: string;
  clock: ScheduleClock;
  fire: (event: unknown) => Promise<unknown>;
  /** A firing failed; not called after a stop, because then what it needs is gone. */
  onFault: (error: unknown) => void;
}

export class Scheduler {
  readonly #options: SchedulerOptions;
  #callOff: () => void = () => {};
  #isStopped = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#fire(this.#options.clock.now());
  }

  stop(): void {
    this.#isStopped = true;
    this.#callOff();
  }

  #fire(slot: number): void {
    const { clock, intervalMs, fire, onFault } = this.#options;
    const missed = Math.max(0, Math.floor((clock.now() - slot) / intervalMs));
    const next = slot + (missed + 1) * intervalMs;
    this.#callOff = clock.after(next - clock.now(), () => this.#fire(next));
    fire(this.#eventFor(slot)).catch((error) => {
      if (!this.#isStopped) onFault(error);
    });
  }

  #eventFor(slot: number): unknown {
    const { input, scheduleArn } = this.#options;
    const attributes: Record<string, string> = {
      'schedule-arn': scheduleArn,
      'scheduled-time': new Date(slot).toISOString().replace(/\.\d+Z$/, 'Z'),
      'execution-id': randomUUID(),
      'attempt-number': '1',
    };
    return JSON.parse(
      input.replaceAll(/<aws\.scheduler\.([a-z-]+)>/g, (whole, name) => attributes[name] ?? whole),
    );
  }
}
