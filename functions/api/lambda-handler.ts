// Runs the app as a Lambda function: converts API Gateway's events to requests and the answers back.
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Env, Hono } from 'hono';
import { handle, type LambdaEvent } from 'hono/aws-lambda';
import type { Observability } from '#shared/lambda/observability.ts';

/** API Gateway's response (payload 2.0). */
export interface GatewayAnswer {
  statusCode: number;
  body: string;
  headers?: Record<string, string>;
  isBase64Encoded: boolean;
}

/** A handler of the app. A body marked as base64 is decoded without its invalid characters. */
export function createLambdaHandler<E extends Env>(app: Hono<E>) {
  const serve = handle(app);
  return async function lambdaHandler(
    event: LambdaEvent,
    context: Context,
  ): Promise<GatewayAnswer> {
    const answer: unknown = await serve(withDecodableBody(event), context as never);
    return answer as GatewayAnswer;
  };
}

/** The adapter fails on characters outside base64. What is left without them is not JSON, so it is refused later. */
function withDecodableBody(event: LambdaEvent): LambdaEvent {
  if (!('isBase64Encoded' in event) || !event.isBase64Encoded || !event.body) return event;
  return { ...event, body: Buffer.from(event.body, 'base64').toString('base64') };
}

/** The same handler with the request's id in each log line, and its metrics published with the answer. */
export function createObservedHandler(app: Hono, { logger, metrics }: Observability) {
  /** Most requests count no metric, and Powertools would warn about that. */
  function publishMetrics(): void {
    if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
  }

  return middy(createLambdaHandler(app))
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .use({ after: publishMetrics, onError: publishMetrics });
}
