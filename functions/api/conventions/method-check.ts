// Refuses a method that no operation takes at a path where an operation takes another one: correcting
// anything else in such a request would not help. A request for an unknown path goes on.
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
