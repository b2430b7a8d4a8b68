// One line per request: who (by key id), what route, how it ended, how long it took. Never a key, a
// secret, an address, a query or a body.
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from '#shared/runtime/observability.ts';
import type { ApiEnv } from '../env.ts';

interface RequestLogDeps {
  logger: Pick<Logger, 'info'>;
  now: () => number;
  newRequestId: () => string;
}

/** What API Gateway's event says, where there is one. */
interface LambdaBindings {
  requestContext?: { requestId?: string };
}

/** Names each request, in the log and to the client (`x-request-id`). */
export function createRequestLog({
  logger,
  now,
  newRequestId,
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
      route: context.get('route') ?? routePath(context, -1),
      status: context.res.status,
      durationMs: now() - startedAt,
    });
  };
}
