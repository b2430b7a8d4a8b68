/**
 * The bounds that the client keeps to, with their defaults. Holds numbers only.
 */
export interface Limits {
  /** Attempts after the first, per request. @default 3 */
  maxRetries: number;
  /** Longest time of one attempt, answer's body included. @default 30_000 */
  requestTimeoutMs: number;
  /** Full jitter draws from 0 to this, doubled per attempt. @default 500 */
  backoffBaseMs: number;
  /** Upper end of the jitter. @default 20_000 */
  backoffCapMs: number;
  /** No retry comes sooner than this, whatever a header says. @default 100 */
  minDelayMs: number;
  /**
   * A wait longer than this is not slept but thrown, with the wait in the error, so that the caller
   * can hand its work back to a queue. @default 60_000
   */
  maxWaitMs: number;
  /** A `Retry-After` beyond this is taken for this. @default 3_600_000, the longest window */
  retryAfterCapMs: number;
  /** Largest JSON answer, decompressed. @default 32 MiB */
  maxResponseBytes: number;
  /** Largest daily CSV, decompressed; it is streamed, never held. @default 2 GiB */
  maxCsvBytes: number;
  /** Pages of one pass of a walk. @default 10_000 */
  maxPages: number;
  /** How often a walk begins again after a dead cursor. Each may cost a pull. @default 1 */
  maxRestarts: number;
}

export const DEFAULT_LIMITS: Limits = {
  maxRetries: 3,
  requestTimeoutMs: 30_000,
  backoffBaseMs: 500,
  backoffCapMs: 20_000,
  minDelayMs: 100,
  maxWaitMs: 60_000,
  retryAfterCapMs: 3_600_000,
  maxResponseBytes: 32 * 1024 * 1024,
  maxCsvBytes: 2 * 1024 * 1024 * 1024,
  maxPages: 10_000,
  maxRestarts: 1,
};
