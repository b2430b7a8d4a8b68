// The clock of the local cloud's schedules: the run's clock, so that a jump fires every schedule that it
// passes, each once.
import type { ScheduleClock } from '#infra/local/clock.ts';
import { runNow } from './cell.ts';

interface Alarm {
  at: number;
  ring: () => void;
  timer: NodeJS.Timeout;
}

/** A clock whose alarms are checked again after every jump. */
export class JumpingClock implements ScheduleClock {
  readonly #alarms = new Set<Alarm>();

  now(): number {
    return runNow();
  }

  after(delayMs: number, callBack: () => void): () => void {
    const alarm: Alarm = { at: runNow() + delayMs, ring: callBack, timer: this.#arm(delayMs) };
    this.#alarms.add(alarm);
    return () => this.#callOff(alarm);
  }

  /** Fires the alarms that are due. */
  look(): void {
    const due = [...this.#alarms].filter(({ at }) => at <= runNow());
    for (const alarm of due.sort((a, b) => a.at - b.at)) {
      this.#callOff(alarm);
      alarm.ring();
    }
  }

  #arm(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.look(), Math.max(0, delayMs));
  }

  #callOff(alarm: Alarm): void {
    clearTimeout(alarm.timer);
    this.#alarms.delete(alarm);
  }
}
