// Which operation a request is for, by its method and path; and the refusal of methods that a path does
// not take.
import type { MiddlewareHandler } from 'hono';
import type { OperationFacts } from './operation.ts';
import { problem } from './problem.ts';

/** "/v1/watches/:id" */
export function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function patternOf({ path }: OperationFacts): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** A finder of operations; a fixed path goes before one with a parameter. */
export function createFinder<Facts extends OperationFacts>(operations: readonly Facts[]) {
  const patterns = operations
    .map((operation) => ({ operation, pattern: patternOf(operation) }))
    .sort(
      (a, b) => Number(a.operation.path.includes('{')) - Number(b.operation.path.includes('{')),
    );
  return (method: string, path: string): Facts | undefined => {
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
    return patterns.find((each) => each.operation.method === wanted && each.pattern.test(path))
      ?.operation;
  };
}

/**
 * Refuses a method that nothing takes at a path where something takes another: whatever else is amiss
 * with such a request, mending that would not help. A path that nothing knows goes on.
 */
export function createMethodCheck(known: readonly OperationFacts[]): MiddlewareHandler {
  const patterns = known.map((facts) => ({ ...facts, pattern: patternOf(facts) }));
  return async function checkMethod({ req }, next) {
    const there = patterns.filter(({ pattern }) => pattern.test(req.path));
    const methods = new Set(there.map(({ method }) => method.toUpperCase()));
    const wanted = req.method === 'HEAD' ? 'GET' : req.method;
    if (there.length > 0 && !methods.has(wanted)) {
      const allow = [...methods].join(', ');
      throw problem('method-not-allowed', `This path takes ${allow}`, { headers: { allow } });
    }
    await next();
  };
}
