/**
 * The client's limits and their defaults. Holds numbers only.
 */
export interface Limits {
  /** Attempts after the first, per request. @default 3 */
  maxRetries: number;
  /** Longest time of one attempt, including the answer's body. @default 30_000 */
  requestTimeoutMs: number;
  /** Full jitter is drawn from 0 to this, doubled per attempt. @default 500 */
  backoffBaseMs: number;
  /** Upper end of the jitter. @default 20_000 */
  backoffCapMs: number;
  /** Shortest wait before a retry, whatever a header says. @default 100 */
  minDelayMs: number;
  /**
   * For a longer wait the call throws instead of sleeping; the error has the wait, so that the
   * caller can put its work back into a queue. @default 60_000
   */
  maxWaitMs: number;
  /** Upper bound of `Retry-After`. @default 3_600_000, the longest window */
  retryAfterCapMs: number;
  /** Largest JSON answer, decompressed. @default 32 MiB */
  maxResponseBytes: number;
  /** Largest daily CSV, decompressed; it is streamed, not kept in memory. @default 2 GiB */
  maxCsvBytes: number;
  /** Pages of one pass of a walk. @default 10_000 */
  maxPages: number;
  /** Restarts of a walk after an expired cursor. Each may cost a pull. @default 1 */
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
