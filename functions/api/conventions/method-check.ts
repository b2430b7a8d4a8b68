// Refuses a method that no operation has at a path where an operation has another method, before other
// checks, whose errors would mislead. A request for an unknown path passes.
import type { Context, MiddlewareHandler } from 'hono';
import { problem } from '../problem.ts';

interface MethodCheckDeps {
  isOperation: (context: Context) => boolean;
  /** The methods that a path takes, in capitals. */
  methodsAt: (path: string) => string[];
}

export function createMethodCheck({ isOperation, methodsAt }: MethodCheckDeps): MiddlewareHandler {
  return async function checkMethod(context, next) {
    if (!isOperation(context)) {
      const allow = methodsAt(context.req.path).join(', ');
      if (allow !== '') {
        throw problem('method-not-allowed', `This path takes ${allow}`, { headers: { allow } });
      }
    }
    await next();
  };
}
