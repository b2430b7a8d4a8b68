// One log line per request: key id, route, outcome and duration. Never a key, a
// secret, an address, a query or a body.
import type { Context, MiddlewareHandler } from 'hono';
import type { Logger } from '#shared/lambda/observability.ts';
import type { ApiEnv } from '../env.ts';

interface RequestLogDeps {
  logger: Pick<Logger, 'info'>;
  now: () => number;
  newRequestId: () => string;
  /** The path as in the document, `/v1/watches/{id}`; undefined for a path that no operation has. */
  routeOf: (context: Context) => string | undefined;
}

/** Facts from API Gateway's event, if there is one. */
interface LambdaBindings {
  requestContext?: { requestId?: string };
}

/** Names each request, in the log and to the client (`x-request-id`). */
export function createRequestLog({
  logger,
  now,
  newRequestId,
  routeOf,
}: RequestLogDeps): MiddlewareHandler<ApiEnv> {
  return async function requestLog(context, next) {
    const startedAt = now();
    const { requestContext } = (context.env ?? {}) as LambdaBindings;
    const requestId = requestContext?.requestId ?? newRequestId();
    context.set('requestId', requestId);
    await next();
    context.res.headers.set('x-request-id', requestId);
    logger.info('request.finished', {
      requestId,
      keyId: context.get('apiKey')?.keyId ?? null,
      method: context.req.method,
      route: routeOf(context) ?? null,
      status: context.res.status,
      durationMs: now() - startedAt,
    });
  };
}

/**
 * The log entry of an unexpected error: name, message, stack and cause. Not its other properties,
 * because they may contain a part of the request's body.
 */
export function failureFields(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause instanceof Error && { cause: failureFields(cause) }) };
}
