// If-Match: which version a change is meant for. A change without it applies to the newest version, unless
// it replaces a list, because then it could remove what another request has just added.
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../env.ts';
import { problem } from '../problem.ts';
import { namesVersion } from './etag.ts';

/** Reads If-Match (RFC 9110, 13.1.1) into the context. */
export function createIfMatch(): MiddlewareHandler<ApiEnv> {
  return async function ifMatch(context, next) {
    const header = context.req.header('if-match');
    if (header !== undefined) context.set('ifMatch', readTags(header));
    await next();
  };
}

/**
 * Requires If-Match for a body that replaces a list.
 * @param replaces the fields that do.
 * @throws ProblemError if it is missing.
 */
export function requireMatchFor(
  body: unknown,
  replaces: readonly string[],
  ifMatch: readonly string[] | undefined,
): void {
  if (ifMatch !== undefined || typeof body !== 'object' || body === null) return;
  const field = replaces.find((name) => Object.hasOwn(body, name));
  if (field === undefined) return;
  throw problem(
    'match-required',
    `\`${field}\` replaces all ${field}. Send "If-Match" with the ETag of the version that you read, or "*" for any version`,
  );
}

function readTags(header: string): string[] {
  const tags = header.split(',').map((tag) => tag.trim());
  const isWellFormed = tags.every((tag) => tag === '*' || /^(W\/)?"[\x21\x23-\x7e]*"$/.test(tag));
  if (isWellFormed) return tags;
  throw problem('invalid-request', 'If-Match must be an ETag such as "3", with its quotes, or *');
}

/**
 * Compares the requested version with the current one; the answers to reads have more in their tags (etag.ts).
 * @throws ProblemError when the versions differ.
 */
export function requireMatch(
  ifMatch: readonly string[] | undefined,
  version: number | string,
): void {
  if (ifMatch === undefined || ifMatch.includes('*')) return;
  if (ifMatch.some((tag) => namesVersion(tag, version))) return;
  throw staleVersion();
}

/** The refusal of a change to something that another request has changed. */
export function staleVersion() {
  return problem('stale-version', 'The item was changed after you read it; read it again');
}
