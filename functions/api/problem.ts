// Errors as problem details (RFC 9457), made in one place and carrying nothing internal.
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as z from 'zod';
import { faultsOf } from '#shared/rules/validate.ts';

/** One fault of a request's body or query, with a JSON pointer to it. */
export interface Fault {
  pointer: string;
  detail: string;
}

/** Thrown by routes; carries the whole answer. */
export class ProblemError extends HTTPException {
  override readonly name = 'ProblemError';
  readonly type: string;
  readonly detail: string;
  readonly errors: readonly Fault[];

  constructor(status: ContentfulStatusCode, type: string, detail: string, errors: Fault[] = []) {
    super(status, { message: detail });
    this.type = type;
    this.detail = detail;
    this.errors = errors;
  }
}

const titles: Record<string, string> = {
  'invalid-request': 'The request is not valid',
  unauthorized: 'A valid API key is needed',
  forbidden: 'This key may not do that',
  'not-found': 'There is no such thing',
  'body-too-large': 'The body is too large',
  'unsupported-media-type': 'The body must be JSON',
  'marketplace-unavailable': 'The marketplace did not answer',
  'internal-error': 'Something went wrong here',
};

/** The same answer for a missing thing and for another owner's thing. */
export function notFound(what: string): ProblemError {
  return new ProblemError(404, 'not-found', `No ${what} with this id`);
}

/** All faults of a body or query at once. */
export function invalidRequest(error: z.ZodError): ProblemError {
  const errors = faultsOf(error).map(({ pointer, message }) => ({
    pointer: `#${pointer}`,
    detail: message,
  }));
  return new ProblemError(400, 'invalid-request', errors[0]?.detail ?? 'not valid', errors);
}

/** Renders an error; an unexpected one says nothing of itself. */
export function renderProblem(error: Error, context: Context): Response {
  const problem =
    error instanceof ProblemError
      ? error
      : error instanceof HTTPException
        ? new ProblemError(error.status as ContentfulStatusCode, 'invalid-request', error.message)
        : new ProblemError(500, 'internal-error', 'The request could not be carried out');
  const body = {
    type: `urn:getin:problem:${problem.type}`,
    title: titles[problem.type] ?? problem.type,
    status: problem.status,
    detail: problem.detail,
    ...(problem.errors.length > 0 && { errors: problem.errors }),
  };
  return context.body(JSON.stringify(body), problem.status as ContentfulStatusCode, {
    'content-type': 'application/problem+json',
  });
}
