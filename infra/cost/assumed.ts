/** Assumed values that this project can't measure. */

export interface Assumed {
  /** Milliseconds that a function waits for one call of an AWS service, or of another server. */
  callMs: number;
  outboundMs: number;
  /** Bytes of log that a unit of work writes, and of a stored snapshot. */
  logBytes: number;
  snapshotBytes: number;
  snapshotsKeptDays: number;
  /** Metrics that alarms read: an alarm of a metric counts once, one of an expression once for each metric. */
  alarmMetrics: number;
  compositeAlarms: number;
  customMetrics: number;
  secrets: number;
  /** Queues that Lambda polls, with or without messages. */
  polledQueues: number;
}

export const assumed: Assumed = {
  callMs: 8,
  outboundMs: 300,
  logBytes: 1_500,
  snapshotBytes: 2_000,
  snapshotsKeptDays: 90,
  alarmMetrics: 89,
  compositeAlarms: 2,
  // Names times functions, those of rare faults included.
  customMetrics: 37,
  secrets: 5,
  polledQueues: 6,
};
