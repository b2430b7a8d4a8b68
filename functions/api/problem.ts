// Errors as problem details (RFC 9457), made in one place and without internal facts.
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as z from 'zod';
import { type Fault, faultsIn } from './faults.ts';

/** Every `type` that a problem may have, with its status and title. They are stable: clients branch on them. */
export const problemKinds = {
  'invalid-request': [400, 'The request is not valid'],
  'invalid-json': [400, 'The body is not valid JSON, or is ambiguous'],
  unauthorized: [401, 'A valid API key is needed'],
  forbidden: [403, 'This key may not do that'],
  'quota-exceeded': [403, 'There is no room for more'],
  'not-found': [404, 'There is no such thing'],
  'method-not-allowed': [405, 'This path does not take this method'],
  conflict: [409, 'The request conflicts with the current state'],
  'last-channel': [409, 'Watches would have no channel'],
  'no-telegram-bot': [409, 'This deployment has no Telegram bot'],
  'address-suppressed': [409, 'No mail can be sent to this address'],
  'duplicate-watch': [409, 'This watch exists already'],
  'idempotency-key-reused': [409, 'This Idempotency-Key was used for another request'],
  'request-in-progress': [409, 'A request with this Idempotency-Key is in progress'],
  'stored-unreadable': [409, 'The stored item is damaged'],
  'stale-version': [412, 'The item was changed after the version in If-Match'],
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'The body has the wrong type'],
  'match-required': [428, 'If-Match is missing'],
  'rate-limited': [429, 'Too many requests'],
  'internal-error': [500, 'Something went wrong here'],
  'marketplace-unavailable': [503, 'The marketplace did not answer'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemType = keyof typeof problemKinds;

/** The optional parts of a problem beside its type and detail. */
interface ProblemExtras {
  errors?: readonly Fault[];
  /** Further members of the body. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Thrown by routes and conventions; carries the whole answer. */
export class ProblemError extends HTTPException {
  override readonly name = 'ProblemError';
  readonly type: string;
  readonly detail: string;
  readonly errors: readonly Fault[];
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: ContentfulStatusCode,
    type: string,
    detail: string,
    extras: readonly Fault[] | ProblemExtras = {},
  ) {
    super(status, { message: detail });
    const { errors = [], members = {}, headers = {} } = asExtras(extras);
    this.type = type;
    this.detail = detail;
    this.errors = errors;
    this.members = members;
    this.headers = headers;
  }
}

function asExtras(extras: readonly Fault[] | ProblemExtras): ProblemExtras {
  return Array.isArray(extras) ? { errors: extras } : (extras as ProblemExtras);
}

/** A problem of a known kind; its status follows from its type. */
export function problem(type: ProblemType, detail: string, extras: ProblemExtras = {}) {
  return new ProblemError(problemKinds[type][0], type, detail, extras);
}

/** The same answer for a thing that doesn't exist and for another owner's thing. */
export function notFound(what: string): ProblemError {
  return problem('not-found', `No ${what} with this id`);
}

/** All faults of a body or query at once, each described by its part of the schema. */
export function invalidRequest(
  error: z.ZodError,
  read?: { schema: z.ZodType; input: unknown },
): ProblemError {
  return invalidFaults(faultsIn(error, read));
}

/** Faults that an answer lists; more would only repeat the first. */
const mostFaults = 100;

/** A problem with several faults; its detail is the first of them. */
export function invalidFaults(faults: readonly Fault[]): ProblemError {
  const errors = faults.slice(0, mostFaults);
  const [first] = errors;
  const listed = faults.length > mostFaults ? `; the first ${mostFaults} are listed` : '';
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more${listed})` : '';
  const detail = first
    ? `${first.pointer.slice(1) || 'The body'} ${first.detail}${more}`
    : 'not valid';
  return problem('invalid-request', detail, { errors });
}

/** Renders an error; the answer to an unexpected error contains nothing about it. */
export function renderProblem(error: Error, context: Context): Response {
  const known =
    error instanceof ProblemError
      ? error
      : error instanceof HTTPException
        ? new ProblemError(error.status as ContentfulStatusCode, 'invalid-request', error.message)
        : problem('internal-error', 'The request failed');
  const kind = Object.hasOwn(problemKinds, known.type)
    ? problemKinds[known.type as ProblemType]
    : undefined;
  const body = {
    type: `urn:getin:problem:${known.type}`,
    title: kind?.[1] ?? known.type,
    status: known.status,
    detail: known.detail,
    ...(known.errors.length > 0 && { errors: known.errors }),
    ...known.members,
  };
  return context.body(JSON.stringify(body), known.status as ContentfulStatusCode, {
    ...known.headers,
    'content-type': 'application/problem+json',
  });
}
