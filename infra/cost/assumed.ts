/** What is assumed where nothing here can measure it. */

export interface Assumed {
  /** Milliseconds that a function waits for one call of an AWS service, and for others' servers. */
  callMs: number;
  outboundMs: number;
  /** Bytes of log a unit of work writes, and of a stored snapshot. */
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
