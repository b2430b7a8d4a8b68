// The metrics and log lines of evaluate.
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Alert } from '#shared/alerts/alert.ts';
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { Observability } from '#shared/lambda/observability.ts';
import type { EvaluateResult } from './evaluate.ts';

/** Counts and logs an alert; its delay is the time from the snapshot to the alert. */
export function reportAlert(
  { logger, metrics }: Observability,
  { alertId, watchId, eventId, observedAt, firedAt }: Alert,
): void {
  const alertDelayMs = firedAt - observedAt;
  metrics.addMetric('alertDelayMs', MetricUnit.Milliseconds, alertDelayMs);
  const times = { observedAt, firedAt, alertDelayMs };
  logger.info('alert.fired', { alertId, watchId, eventId, ...times });
}

/** Counts and logs one run; `times` are epoch milliseconds. */
export function reportEvaluation(
  { logger, metrics }: Observability,
  feed: EvaluateMessage,
  result: EvaluateResult,
  times: { nudgedAt: number; startedAt: number },
): void {
  metrics.addMetric('snapshotsMatched', MetricUnit.Count, result.snapshots);
  metrics.addMetric('alertsRaised', MetricUnit.Count, result.alerts);
  logger.info('evaluate.finished', { ...feed, ...result, ...times });
}
