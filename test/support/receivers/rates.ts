// Rates of emulated receivers, on the test's clock.

/** Takes from a bucket that fills steadily. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #refillMs: number;
  #tokens: number;
  #at = 0;

  /** @param refillMs how long one token takes. */
  constructor(capacity: number, refillMs: number) {
    this.#capacity = capacity;
    this.#refillMs = refillMs;
    this.#tokens = capacity;
  }

  /** @returns 0 if a token was taken, else the milliseconds until there is one. */
  take(now: number): number {
    const filled = this.#tokens + Math.max(0, now - this.#at) / this.#refillMs;
    this.#tokens = this.#at === 0 ? this.#capacity : Math.min(this.#capacity, filled);
    this.#at = now;
    if (this.#tokens < 1) return Math.ceil((1 - this.#tokens) * this.#refillMs);
    this.#tokens -= 1;
    return 0;
  }
}

/** At most so many in each stretch of time that begins with a first request. */
export class FixedWindow {
  readonly limit: number;
  readonly #lengthMs: number;
  #startedAt = Number.NEGATIVE_INFINITY;
  #used = 0;

  constructor(limit: number, lengthMs: number) {
    this.limit = limit;
    this.#lengthMs = lengthMs;
  }

  take(now: number): { isAllowed: boolean; remaining: number; resetAfterMs: number } {
    if (now >= this.#startedAt + this.#lengthMs) {
      this.#startedAt = now;
      this.#used = 0;
    }
    const isAllowed = this.#used < this.limit;
    if (isAllowed) this.#used += 1;
    const resetAfterMs = this.#startedAt + this.#lengthMs - now;
    return { isAllowed, remaining: this.limit - this.#used, resetAfterMs };
  }
}

/** Counts the requests of the last stretch of time, wherever it begins. */
export class SlidingWindow {
  readonly #limit: number;
  readonly #lengthMs: number;
  #times: number[] = [];

  constructor(limit: number, lengthMs: number) {
    this.#limit = limit;
    this.#lengthMs = lengthMs;
  }

  /** @returns 0 if there was room, else the milliseconds until there is. */
  take(now: number): number {
    this.#times = this.#times.filter((at) => at > now - this.#lengthMs);
    const [oldest] = this.#times;
    if (oldest !== undefined && this.#times.length >= this.#limit) {
      return oldest + this.#lengthMs - now;
    }
    this.#times.push(now);
    return 0;
  }
}
