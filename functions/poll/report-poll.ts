// The metrics and the log line of one poll.
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Observability } from '#shared/lambda/observability.ts';
import type { PollMessage } from '#shared/polling/feed.ts';
import type { PollResult } from './poll.ts';

/** Counts and logs a poll; `times` are epoch milliseconds. */
export function reportPoll(
  { logger, metrics }: Observability,
  { eventId, kind: feedKind }: PollMessage,
  result: PollResult,
  times: { dispatchedAt: number; startedAt: number },
): void {
  countPoll(metrics, result);
  const facts = { eventId, feedKind, ...result, ...times };
  if (result.outcome !== 'failed') logger.info('poll.finished', facts);
  else logger.warn('poll.finished', { ...facts, error: result.error as Error });
}

function countPoll(metrics: Observability['metrics'], result: PollResult): void {
  metrics.addMetric('polls', MetricUnit.Count, 1);
  metrics.addMetric('pollsFailed', MetricUnit.Count, result.outcome === 'failed' ? 1 : 0);
  const { pulls, newSnapshots } =
    result.outcome === 'polled' ? result : { pulls: 0, newSnapshots: 0 };
  metrics.addMetric('pullsCharged', MetricUnit.Count, pulls);
  metrics.addMetric('snapshotsStored', MetricUnit.Count, newSnapshots);
  if (result.outcome === 'polled' && result.setAside > 0) {
    metrics.addMetric('faultsSetAside', MetricUnit.Count, result.setAside);
  }
}
