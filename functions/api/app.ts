// The watchlist API or a part of it: operations, the conventions that all of them share, and error rendering.
// Independent of Lambda.
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';
import { newId } from '#shared/watchlist/id.ts';
import type { ApiDeps } from './api-deps.ts';
import { createAuthenticate } from './authenticate.ts';
import { createIdempotency } from './conventions/idempotency.ts';
import { createIfMatch } from './conventions/if-match.ts';
import { createMethodCheck } from './conventions/method-check.ts';
import { createRateLimit } from './conventions/rate-limit.ts';
import { createRequestLog, failureFields } from './conventions/request-log.ts';
import { requireOwnPage } from './conventions/same-origin.ts';
import { createScope } from './conventions/scope.ts';
import { bodyLimitBytes, createStrictBody, tooLarge } from './conventions/strict-body.ts';
import { credentialOf } from './credential.ts';
import type { ApiEnv } from './env.ts';
import { createOperationFinder, honoPath } from './matched-operation.ts';
import type { Operation, OperationFacts } from './operation.ts';
import type { ApiPart } from './part.ts';
import { problem, renderProblem } from './problem.ts';

/** OWASP's list: never framed, and https only for two years. */
const headersOfAll = {
  xFrameOptions: 'DENY',
  strictTransportSecurity: 'max-age=63072000; includeSubDomains',
};

/** Tests call `app.request()`. */
export function createApp(deps: ApiDeps, { operations: made, pages }: ApiPart) {
  const app = new Hono<ApiEnv>();
  // A fixed path is matched before one with a parameter.
  const operations = made(deps).sort((a, b) => parametersIn(a) - parametersIn(b));
  const finder = createOperationFinder<OperationFacts>([...operations, ...(pages?.facts ?? [])]);
  const { operationOf } = finder;
  const routeOf = (context: Context) => operationOf(context)?.path;
  const newRequestId = () => crypto.randomUUID();
  app.use(createRequestLog({ ...deps, newRequestId, routeOf }));
  app.use(secureHeaders(headersOfAll));
  app.use(createBodyLimit(operationOf));
  const methodsAt = (path: string) => finder.methodsAt(app, path);
  app.use(createMethodCheck({ isOperation: (context) => !!operationOf(context), methodsAt }));
  // Registered before the JSON conventions, because mail clients and browsers send its forms.
  if (pages) app.route(pages.at, pages.routes(deps));
  app.use(createStrictBody(operationOf));
  app.use((context, next) => {
    context.set('newId', newId);
    return next();
  });
  const isPublic = ({ access }: Operation) => access === 'public';
  addRoutes(app, operations.filter(isPublic), deps);
  useKey(app, deps, (context) => operationOf(context)?.access);
  addRoutes(
    app,
    operations.filter((operation) => !isPublic(operation)),
    deps,
  );

  app.notFound((context) => renderProblem(problem('not-found', 'There is no such path'), context));
  app.onError((error, context) => {
    const response = renderProblem(error, context);
    if (response.status >= 500) {
      const failure = failureFields(error);
      deps.logger.error('request.failed', { requestId: context.get('requestId'), error: failure });
    }
    return response;
  });
  return app;
}

/** The conventions for requests with a key, in order. */
function useKey(
  app: Hono<ApiEnv>,
  deps: ApiDeps,
  accessOf: Parameters<typeof createScope>[0],
): void {
  const { stores, now, wait, requestLimit: limit } = deps;
  const authenticate = createAuthenticate(deps);
  app.use('/v1/*', async (context, next) => {
    context.header('cache-control', 'no-store');
    const credential = credentialOf(context);
    const { apiKey, session } = await authenticate(credential);
    context.set('apiKey', apiKey);
    context.set('session', session);
    if (credential.kind === 'session') requireOwnPage(context);
    await next();
  });
  app.use('/v1/*', createRateLimit({ counts: stores.requestCounts, limit, now }));
  app.use('/v1/*', createScope(accessOf));
  app.use('/v1/*', createIfMatch());
  app.use('/v1/*', createIdempotency({ answers: stores.idempotency, now, wait }));
}

/** Refuses a body over its operation's limit, if possible before it is read. */
function createBodyLimit(
  operationOf: (context: Context) => OperationFacts | undefined,
): MiddlewareHandler {
  return (context, next) => {
    const { mostBodyBytes: maxSize = bodyLimitBytes } = operationOf(context) ?? {};
    return bodyLimit({ maxSize, onError: () => raise(tooLarge(maxSize)) })(context, next);
  };
}

function raise(error: Error): never {
  throw error;
}

/** Registers an operation; it runs only if no convention has answered the request before. */
function addRoutes(app: Hono<ApiEnv>, operations: readonly Operation[], deps: ApiDeps): void {
  for (const operation of operations) {
    app.on(operation.method.toUpperCase(), honoPath(operation.path), (context) =>
      operation.carryOut(context, deps.now()),
    );
  }
}

function parametersIn({ path }: OperationFacts): number {
  return Number(path.includes('{'));
}
