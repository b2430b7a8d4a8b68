// Turns "handle one parsed scheduler input" into a Lambda handler.
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import type { Logger, Metrics } from './observability.ts';

/**
 * A Lambda handler for one schedule. The input is parsed by the schema; an error fails the
 * invocation, so that the scheduler's own retry policy applies.
 */
export function createScheduleConsumer<Input>(options: {
  schema: z.ZodType<Input>;
  handle: (input: Input, facts: { remainingMs: () => number }) => Promise<void>;
  logger: Logger;
  metrics: Metrics;
}) {
  return middy<unknown, void>()
    .use(injectLambdaContext(options.logger, { resetKeys: true }))
    .use(logMetrics(options.metrics))
    .handler(async (event: unknown, context: Context) => {
      await options.handle(options.schema.parse(event), {
        remainingMs: () => context.getRemainingTimeInMillis(),
      });
    });
}
