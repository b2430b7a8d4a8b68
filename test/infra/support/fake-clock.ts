/** A clock that moves only by hand. */
import type { ScheduleClock } from '#infra/local/clock.ts';

interface Alarm {
  at: number;
  callBack: () => void;
}

/** Lets the started work finish. */
function rest(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}

export class FakeClock implements ScheduleClock {
  #now: number;
  #alarms: Alarm[] = [];

  constructor(startsAt: string) {
    this.#now = Date.parse(startsAt);
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, callBack: () => void): () => void {
    const alarm = { at: this.#now + delayMs, callBack };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Moves the clock; rings each alarm at its own time and lets the work that it starts finish. */
  async advance(byMs: number): Promise<void> {
    const until = this.#now + byMs;
    await rest();
    for (;;) {
      this.#alarms.sort((left, right) => left.at - right.at);
      const next = this.#alarms[0];
      if (!next || next.at > until) break;
      this.#alarms.shift();
      this.#now = Math.max(this.#now, next.at);
      next.callBack();
      await rest();
    }
    this.#now = until;
    await rest();
  }

  /** Moves the clock without ringing, as when the machine slept. */
  sleep(byMs: number): void {
    this.#now += byMs;
  }
}
