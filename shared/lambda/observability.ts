// The logger and metrics of every function: one wide JSON line per unit of work, ids only.
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { listenForFaults } from '#shared/fault-report.ts';

export type { Logger, Metrics };

/** The logger and metrics of a function. */
export interface Observability {
  logger: Logger;
  metrics: Metrics;
}

/**
 * Service name, namespace and level come from Powertools' own variables, set by the stack. After this call,
 * each fault that this process sets aside is counted and logged.
 */
export function createObservability(): Observability {
  const logger = new Logger();
  const metrics = new Metrics();
  listenForFaults(({ thing, reason, ids, error }) => {
    metrics.addMetric('faultsSetAside', MetricUnit.Count, 1);
    const cause = error instanceof Error && { error };
    logger.error('fault.set_aside', { thing, reason, ...ids, ...cause });
  });
  return { logger, metrics };
}
