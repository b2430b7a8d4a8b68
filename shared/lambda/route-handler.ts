// Turns "answer one GET request" into a Lambda handler of an HTTP API's route (payload format 2.0).
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Observability } from './observability.ts';
import { isTransient } from './transient.ts';

/** What a route is asked. */
export interface RouteRequest {
  /** The parts of the path by their names in the route. */
  path: Readonly<Record<string, string | undefined>>;
  query: Readonly<Record<string, string | undefined>>;
  /** By names in lower case. @default - none */
  headers?: Readonly<Record<string, string | undefined>>;
  /** HEAD: only the headers are sent. */
  wantsBody: boolean;
}

export interface RouteReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
}

/** On every answer: the browser takes it for what its type says, and runs nothing in it. */
const safetyHeaders = {
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const;

/** An answer of plain text. */
export function textAnswer(
  status: number,
  text: string,
  headers: RouteReply['headers'] = {},
): RouteReply {
  const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers: { ...type, ...headers }, body: `${text}\n` };
}

/** A Lambda handler of a route. An error is logged, and its details stay out of the answer. */
export function createRouteHandler(
  answer: (request: RouteRequest) => Promise<RouteReply>,
  { logger, metrics }: Observability,
) {
  async function answerOrFail(event: APIGatewayProxyEventV2): Promise<RouteReply> {
    const { method } = event.requestContext.http;
    try {
      return await answer({
        path: event.pathParameters ?? {},
        query: event.queryStringParameters ?? {},
        headers: event.headers,
        wantsBody: method !== 'HEAD',
      });
    } catch (error) {
      logger.error('request.failed', { method, error: error as Error });
      return isTransient(error)
        ? textAnswer(503, 'This is not available now; try again later.', { 'retry-after': '5' })
        : textAnswer(500, 'This failed; the fault is ours.');
    }
  }

  /** Most requests count no metric, and Powertools would warn about that. */
  function publishMetrics(): void {
    if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
  }

  return middy<APIGatewayProxyEventV2>()
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .use({ after: publishMetrics })
    .handler(async (event) => gatewayAnswerOf(await answerOrFail(event)));
}

/** API Gateway carries bytes as base64. */
function gatewayAnswerOf({ status, headers, body = '' }: RouteReply) {
  const isText = typeof body === 'string';
  return {
    statusCode: status,
    headers: { ...safetyHeaders, ...headers },
    body: isText ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded: !isText,
  };
}
