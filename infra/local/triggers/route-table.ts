/** Selects the route of an HTTP API for a request, by API Gateway's precedence. */

export interface HttpRoute<Target> {
  /** `GET /v1/watches/{id}`, `ANY /{proxy+}` or `$default`. */
  routeKey: string;
  target: Target;
}

export interface RouteMatch<Target> {
  route: HttpRoute<Target>;
  pathParameters: Record<string, string>;
}

interface Candidate<Target> extends RouteMatch<Target> {
  /** The smallest rank wins: exact path segments before greedy ones, a named method before ANY. */
  rank: string;
}

const defaultRouteKey = '$default';

/** @returns undefined when no route matches the request (API Gateway answers 404) */
export function matchRoute<Target>(
  routes: readonly HttpRoute<Target>[],
  method: string,
  path: string,
): RouteMatch<Target> | undefined {
  const candidates = routes.flatMap((route) => candidateFor(route, method, path) ?? []);
  candidates.sort((left, right) => (left.rank < right.rank ? -1 : 1));
  const fallback = routes.find(({ routeKey }) => routeKey === defaultRouteKey);
  return candidates[0] ?? (fallback && { route: fallback, pathParameters: {} });
}

function candidateFor<Target>(
  route: HttpRoute<Target>,
  method: string,
  path: string,
): Candidate<Target> | undefined {
  const [routeMethod, template] = route.routeKey.split(' ');
  if (template === undefined) return undefined;
  if (routeMethod !== method && routeMethod !== 'ANY') return undefined;
  const pathParameters = matchPath(template, path);
  if (!pathParameters) return undefined;
  const kinds = template.split('/').map(segmentRank).join('');
  return { route, pathParameters, rank: `${kinds}${routeMethod === 'ANY' ? 1 : 0}` };
}

function segmentRank(segment: string): number {
  if (segment.endsWith('+}')) return 2;
  return segment.startsWith('{') ? 1 : 0;
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  const parameters: Record<string, string> = {};
  for (const [position, segment] of wanted.entries()) {
    const greedy = /^\{(.+)\+\}$/.exec(segment);
    if (greedy?.[1] !== undefined) {
      const rest = given.slice(position).join('/');
      return rest === '' ? undefined : { ...parameters, [greedy[1]]: rest };
    }
    const value = given[position];
    const named = /^\{(.+)\}$/.exec(segment)?.[1];
    if (value === undefined || (named === undefined ? value !== segment : value === '')) {
      return undefined;
    }
    if (named !== undefined) parameters[named] = decoded(value);
  }
  return wanted.length === given.length ? parameters : undefined;
}

/** A value that is encoded wrongly goes to the function as it came. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
