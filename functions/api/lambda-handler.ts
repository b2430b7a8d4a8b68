// The app as a Lambda function: API Gateway's events in, its answers out.
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { handle, type LambdaEvent } from 'hono/aws-lambda';
import type { Observability } from '#shared/lambda/observability.ts';
import type { createApp } from './app.ts';

/** What API Gateway is answered (payload 2.0). */
export interface GatewayAnswer {
  statusCode: number;
  body: string;
  headers?: Record<string, string>;
  isBase64Encoded: boolean;
}

/** A handler of the app. A body that claims to be base64 and is not is read as far as it goes. */
export function createLambdaHandler(app: ReturnType<typeof createApp>) {
  const serve = handle(app);
  return async function lambdaHandler(
    event: LambdaEvent,
    context: Context,
  ): Promise<GatewayAnswer> {
    const answer: unknown = await serve(withDecodableBody(event), context as never);
    return answer as GatewayAnswer;
  };
}

/** The adapter fails on a letter that base64 does not have; what is left after it is no JSON anyway. */
function withDecodableBody(event: LambdaEvent): LambdaEvent {
  if (!('isBase64Encoded' in event) || !event.isBase64Encoded || !event.body) return event;
  return { ...event, body: Buffer.from(event.body, 'base64').toString('base64') };
}

/** The same handler with the request's id in each log line, and its metrics published with the answer. */
export function createObservedHandler(
  app: ReturnType<typeof createApp>,
  { logger, metrics }: Observability,
) {
  /** Most requests count nothing, and Powertools warns of that. */
  function publishMetrics(): void {
    if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
  }

  return middy(createLambdaHandler(app))
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .use({ after: publishMetrics, onError: publishMetrics });
}
