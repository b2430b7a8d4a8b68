// An operation of the API: its OpenAPI description and its handler in one value,
// so that the two stay in step. Parses path, query and body by their schemas.
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as z from 'zod';
import { type ChangedBy, changedByKey } from '#shared/watchlist/changed-by.ts';
import { isStorableId } from '#shared/watchlist/id.ts';
import { requireMatchFor } from './conventions/if-match.ts';
import { retryStale } from './conventions/retry-stale.ts';
import type { ApiEnv, SentBody } from './env.ts';
import { invalidFaults, invalidRequest, problem } from './problem.ts';

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

/** `public` needs no key. A write key may read, an admin key may do everything. */
export type Access = 'public' | 'read' | 'write' | 'admin';

export interface Example {
  summary: string;
  value: unknown;
}

/** An operation's description in the document. Paths are in OpenAPI's form, `/v1/watches/{id}`. */
export interface OperationFacts {
  method: Method;
  path: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Whether the body may be left out. @default false */
  isBodyOptional?: boolean;
  bodyExamples?: Record<string, Example>;
  /** Fields of the body that replace a whole list; a request with one of them must send If-Match. */
  replaces?: readonly string[];
  /** The schema of a form body; `body` is for JSON. */
  form?: z.ZodType;
  /** The body may be CSV too, such as these texts. */
  csvExamples?: Record<string, Example & { value: string }>;
  answer: {
    status: 200 | 201 | 202 | 204;
    description: string;
    schema?: z.ZodType;
    /** @default application/json */
    types?: readonly string[];
    /** Whether the answer names its version as an ETag. @default false */
    hasVersion?: boolean;
  };
  /** The 202 answer of a request that is too large to be carried out at once and begins a job. */
  accepted?: { description: string; schema: z.ZodType };
  /** @default bodyLimitBytes */
  mostBodyBytes?: number;
  /** Whether people read the answers in a browser, so that a refusal may be a page. @default false */
  refusesByPage?: boolean;
  /** Refusals beyond those that every operation of its kind has. */
  refusals?: readonly number[];
}

/** The input of a handler: the parsed request, its owner, and the time (epoch ms). */
export interface Asked<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  ownerId: string;
  /** Who asks, for the record of a change. */
  by: ChangedBy;
  /** The parsed If-Match header; undefined without one. */
  ifMatch: readonly string[] | undefined;
  /** Makes an id; a repeated request gets the same ids again. */
  newId: ApiEnv['Variables']['newId'];
  now: number;
  context: Context<ApiEnv>;
}

/** The answer of a handler. */
export interface Answer {
  status?: ContentfulStatusCode;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, in place of `body`. */
  text?: { type: string; content: string };
  /** Sent as ETag. */
  version?: number | string;
  headers?: Record<string, string>;
}

export interface Operation extends OperationFacts {
  carryOut(context: Context<ApiEnv>, now: number): Promise<Response>;
}

interface Typed<Params, Query, Body> {
  params?: z.ZodType<Params>;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  handle(asked: Asked<Params, Query, Body>): Promise<Answer>;
}

/** Ties a handler to its operation; undeclared parameters and bodies are refused. */
export function defineOperation<Params = object, Query = object, Body = undefined>(
  declared: Omit<OperationFacts, 'params' | 'query' | 'body'> & Typed<Params, Query, Body>,
): Operation {
  const { handle, ...facts } = declared;
  return {
    ...facts,
    async carryOut(context, now) {
      const asked: Asked<Params, Query, Body> = {
        params: readParams(declared.params, context),
        query: readQuery(declared.query, context),
        body: readBody(declared, context),
        ownerId: context.get('apiKey')?.ownerId,
        by: authorOf(context),
        ifMatch: context.get('ifMatch'),
        newId: context.get('newId'),
        now,
        context,
      };
      requireMatchFor(asked.body, facts.replaces ?? [], asked.ifMatch);
      const answer = await retryStale(asked.ifMatch, () => handle(asked));
      return render(context, facts.answer.status, answer);
    },
  };
}

/** A public operation has no key; it changes no watch. */
function authorOf(context: Context<ApiEnv>): ChangedBy {
  const key = context.get('apiKey') as ApiEnv['Variables']['apiKey'] | undefined;
  return key ? changedByKey(key) : { way: 'request' };
}

/** A path that does not fit its schema gets the answer for a missing thing. */
function readParams<T>(schema: z.ZodType<T> | undefined, context: Context): T {
  const sent: unknown = context.req.param();
  if (!Object.values(context.req.param() as Record<string, string>).every(isStorableId)) {
    throw problem('not-found', 'There is no such path');
  }
  if (!schema) return sent as T;
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw problem('not-found', 'There is no such path');
}

/** @throws ProblemError for a parameter that is unknown, repeated, or has an invalid value. */
function readQuery<T>(schema: z.ZodType<T> | undefined, context: Context): T {
  const sent = Object.entries(context.req.queries());
  const twice = sent.filter(([, values]) => values.length > 1);
  if (twice.length > 0) {
    throw invalidFaults(
      twice.map(([name]) => ({ pointer: `#/${name}`, detail: 'may be given only once' })),
    );
  }
  const input = Object.fromEntries(sent.map(([name, [value]]) => [name, value]));
  if (!schema) {
    const unknown = Object.keys(input);
    if (unknown.length === 0) return {} as T;
    throw invalidFaults(
      unknown.map((name) => ({
        pointer: `#/${name}`,
        detail: 'is not a known parameter; this path takes no query parameters',
      })),
    );
  }
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error, { schema, input });
}

function readBody<T>(
  { body: schema, isBodyOptional = false }: { body?: z.ZodType<T>; isBodyOptional?: boolean },
  context: Context<ApiEnv>,
): T {
  const sent = context.get('body');
  if (!schema) {
    if (sent === undefined || isEmptyObject(sent)) return undefined as T;
    throw problem('invalid-request', 'This path takes no body; send none, or {}');
  }
  if (sent === undefined && isBodyOptional) return schema.parse({});
  if (sent === undefined)
    throw problem('invalid-request', 'The body is empty; /docs says what this path takes');
  // Only an operation that takes CSV receives any, and parses it itself.
  if (sent.type === 'csv') return undefined as T;
  const parsed = schema.safeParse(sent.json);
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error, { schema, input: sent.json });
}

/** Many clients send `{}` with each POST. */
function isEmptyObject(sent: SentBody): boolean {
  if (sent.type !== 'json' || typeof sent.json !== 'object' || sent.json === null) return false;
  return !Array.isArray(sent.json) && Object.keys(sent.json).length === 0;
}

function render(context: Context, usual: number, answer: Answer): Response {
  const status = answer.status ?? (usual as ContentfulStatusCode);
  const headers = {
    ...answer.headers,
    ...(answer.version !== undefined && { etag: `"${answer.version}"` }),
  };
  if (answer.text) {
    return context.body(answer.text.content, status, {
      ...headers,
      'content-type': answer.text.type,
    });
  }
  if (answer.body === undefined) return context.newResponse(null, status, headers);
  return context.json(answer.body as object, status, headers);
}
