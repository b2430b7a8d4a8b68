// The scopes of keys: a read key reads, a write key changes its owner's things, an admin key also makes
// owners and keys.
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../env.ts';
import type { Access } from '../operation.ts';
import { problem } from '../problem.ts';

const ranks = { public: 0, read: 1, write: 2, admin: 3 } as const;

/**
 * Refuses a key whose scope is too small for the operation. A path without an operation needs the scope of
 * its method: read or write.
 */
export function createScope(
  accessOf: (context: Context) => Access | undefined,
): MiddlewareHandler<ApiEnv> {
  return async function scope(context, next) {
    const { method } = context.req;
    const needed = accessOf(context) ?? (method === 'GET' ? 'read' : 'write');
    requireScope(context, needed);
    await next();
  };
}

/** @throws ProblemError if the key of the request has less than the needed scope. */
export function requireScope(context: Context<ApiEnv>, needed: Access): void {
  const { scope: has } = context.get('apiKey');
  if (ranks[has] >= ranks[needed]) return;
  throw problem('forbidden', `This needs a key with scope ${needed}; this one has ${has}`);
}
