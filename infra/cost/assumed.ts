/** Assumed values that this project can't measure. */

export interface Assumed {
  /** Milliseconds that a function waits for one call of an AWS service, or of another server. */
  callMs: number;
  outboundMs: number;
  /** Bytes of log that a unit of work writes, and of a stored snapshot. */
  logBytes: number;
  snapshotBytes: number;
  snapshotsKeptDays: number;
  alarms: number;
  customMetrics: number;
  secrets: number;
}

export const assumed: Assumed = {
  callMs: 8,
  outboundMs: 300,
  logBytes: 1_500,
  snapshotBytes: 2_000,
  snapshotsKeptDays: 90,
  alarms: 60,
  customMetrics: 20,
  secrets: 4,
};
