// The metrics and log lines of the send functions: one line for each attempt, and one for each run of edits.
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { AttemptResult } from '#shared/delivery/attempt-result.ts';
import type { EditRunResult } from '#shared/delivery/episodes/edit-run.ts';
import type { EditRun } from '#shared/delivery/episodes/living-message.ts';
import { isSyntheticProof } from '#shared/watchlist/synthetic-watch.ts';
import { type Observability, sharedMetric } from './observability.ts';

/**
 * The metric of each outcome. A delivery that was postponed, or that another sender holds, counts when it is
 * attempted.
 */
const metricOf: Partial<Record<AttemptResult['outcome'], string>> = {
  sent: 'deliveriesSent',
  unconfirmed: 'deliveriesSent',
  retry: 'deliveriesRetried',
  failed: 'deliveriesFailed',
  suppressed: 'deliveriesSuppressed',
};

/** The service of metrics of both send functions together, so that an alarm reads one metric. */
export const deliveryService = 'getin-delivery';

/** Counts and logs one attempt; `times` are epoch milliseconds. */
export function reportAttempt(
  { logger, metrics }: Observability,
  deliveryId: string,
  { outcome, reason, delivery, promisedDelaysMs = [] }: AttemptResult,
  times: { queuedAt: number; startedAt: number },
): void {
  const metric = metricOf[outcome];
  if (metric) metrics.addMetric(metric, MetricUnit.Count, 1);
  if (outcome === 'sent' && delivery && isSyntheticProof(delivery, times.startedAt)) {
    metrics.addMetric('syntheticDelivered', MetricUnit.Count, 1);
  }
  for (const delayMs of promisedDelaysMs) countDelay(metrics, delayMs);
  const [alertId] = delivery?.alertIds ?? [];
  logger.info('delivery.attempted', {
    deliveryId,
    alertId,
    alerts: delivery?.alertIds?.size ?? 0,
    purpose: delivery?.purpose,
    channelId: delivery?.channelId,
    channelKind: delivery?.channelKind,
    attempt: delivery?.attempts,
    ...times,
    outcome,
    reason,
    promisedDelaysMs,
  });
}

function countDelay(metrics: Observability['metrics'], delayMs: number): void {
  sharedMetric(metrics, deliveryService).addMetric(
    'promisedDelayMs',
    MetricUnit.Milliseconds,
    delayMs,
  );
}

/** Counts and logs one run of edits. */
export function reportEdits(
  { logger, metrics }: Observability,
  { eventId, kind, tries }: EditRun,
  result: EditRunResult & { startedAt: number },
): void {
  if (result.edited > 0) metrics.addMetric('messagesEdited', MetricUnit.Count, result.edited);
  if (result.failed > 0) metrics.addMetric('editsFailed', MetricUnit.Count, result.failed);
  logger.info('messages.edited', { eventId, kind, tries, ...result });
}
