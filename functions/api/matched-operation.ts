// Finds a request's operation by the routes that Hono matched.
import type { Context, Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from './env.ts';
import type { OperationFacts } from './operation.ts';

type Route = ReturnType<typeof matchedRoutes>[number];

/** The path of a route: "/v1/watches/:id" for "/v1/watches/{id}". */
export function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Finders over the operations that are routes of the app; the first added route wins, as in Hono. */
export function createOperationFinder<Facts extends OperationFacts>(operations: readonly Facts[]) {
  const byRoute = new Map(
    operations.map((facts) => [`${facts.method.toUpperCase()} ${honoPath(facts.path)}`, facts]),
  );
  const whole = new Set(operations.map(({ path }) => path));
  /** A path that operations have word for word is not an id of another: /v1/watches/bulk is no watch. */
  const firstOf = (routes: readonly Route[], asked: string): Facts | undefined =>
    routes
      .flatMap(({ method, path }) => byRoute.get(`${method} ${path}`) ?? [])
      .find(({ path }) => path === asked || !whole.has(asked));

  function operationAt(app: Hono<ApiEnv>, method: string, path: string): Facts | undefined {
    const [matched] = app.router.match(method === 'HEAD' ? 'GET' : method, path);
    return firstOf(
      matched.map(([[, route]]) => route),
      path,
    );
  }

  return {
    /** The operation of a request. */
    operationOf: (context: Context): Facts | undefined =>
      firstOf(matchedRoutes(context), context.req.path),
    /** The operation that a request with this method and path would reach. */
    operationAt,
    /** The methods that operations take at a path, in capitals, in the order of the operations. */
    methodsAt: (app: Hono<ApiEnv>, path: string): string[] =>
      operations
        .map((facts) => ({ facts, method: facts.method.toUpperCase() }))
        .filter(({ facts, method }) => operationAt(app, method, path) === facts)
        .map(({ method }) => method),
  };
}
