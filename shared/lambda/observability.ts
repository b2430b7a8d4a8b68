// The logger and metrics of every function: one wide JSON line per unit of work, ids only.
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import * as z from 'zod';
import { listenForFaults } from '#shared/fault-report.ts';
import { readConfig } from './config.ts';

export type { Logger, Metrics };

/** The logger and metrics of a function. */
export interface Observability {
  logger: Logger;
  metrics: Metrics;
}

/** Two stages in one account would otherwise add up in one metric. Outside of a stack there is no stage. */
const stageSchema = z.object({ STAGE: z.string().optional() });

/**
 * Service name, namespace and level come from Powertools' own variables, set by the stack. After this call,
 * each fault that this process sets aside is counted and logged.
 */
export function createObservability(): Observability {
  const logger = new Logger();
  const { STAGE: stage } = readConfig(stageSchema);
  const metrics = new Metrics({ ...(stage !== undefined && { defaultDimensions: { stage } }) });
  listenForFaults(({ thing, reason, ids, error }) => {
    metrics.addMetric('faultsSetAside', MetricUnit.Count, 1);
    const cause = error instanceof Error && { error };
    logger.error('fault.set_aside', { thing, reason, ...ids, ...cause });
  });
  return { logger, metrics };
}

/**
 * The writer of one metric that several functions share, under the name of a service. What is added to it leaves the
 * process at once.
 */
export function sharedMetric(metrics: Metrics, service: string): Metrics {
  const { STAGE: stage } = readConfig(stageSchema);
  const shared = metrics.singleMetric();
  shared.clearDefaultDimensions();
  shared.setDefaultDimensions({ service, ...(stage !== undefined && { stage }) });
  return shared;
}
