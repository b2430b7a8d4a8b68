// The metrics and log lines of reconcile.
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Observability } from '#shared/lambda/observability.ts';
import type { Notice } from '#shared/polling/notice.ts';
import type { ReconcileFigures } from './compose-reconcile.ts';

/** Counts and logs the events and results of a run. */
export function createReport({ logger, metrics }: Observability) {
  return {
    onStepFailed(step: string, error: unknown): void {
      metrics.addMetric('stepsFailed', MetricUnit.Count, 1);
      logger.error('reconcile.step_failed', { step, error: error as Error });
    },

    onNoticeSent({ noticeId, audience, kind }: Notice, channels: number): void {
      logger.warn('notice.sent', { noticeId, audience, kind, channels });
    },

    finished(figures: ReconcileFigures): void {
      metrics.addMetric('stepsFailed', MetricUnit.Count, 0);
      metrics.addMetric('pollLagMs', MetricUnit.Milliseconds, figures.pollLagMs);
      if (figures.budget) {
        const { forecastPercent } = figures.budget;
        metrics.addMetric('budgetForecastPercent', MetricUnit.Percent, forecastPercent);
      }
      logger.info('reconcile.finished', figures);
    },
  };
}
