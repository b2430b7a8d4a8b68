// The logger and metrics of every function: one wide JSON line per unit of work, ids only.
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';

export type { Logger, Metrics };

/** Service name, namespace and level come from Powertools' own variables, set by the stack. */
export function createObservability(): { logger: Logger; metrics: Metrics } {
  return { logger: new Logger(), metrics: new Metrics() };
}
