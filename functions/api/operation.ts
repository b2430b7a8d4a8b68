// An operation of the API: its OpenAPI description and its handler in one value,
// so that the two stay in step. Parses path, query and body by their schemas.
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as z from 'zod';
import { type ChangedBy, changedByKey } from '#shared/watchlist/changed-by.ts';
import { isStorableId } from '#shared/watchlist/id.ts';
import { etagOf, hasCurrent, revalidatedHeaders, tagOfVersion } from './conventions/etag.ts';
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
  /** Query parameters that may be given several times; the others are refused then. */
  repeats?: readonly string[];
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
    /** Whether no cache may store the answer, because it holds secrets. @default false */
    isUncached?: boolean;
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
  /** Whether If-None-Match names a version: for answers that follow from their version alone. */
  knows: (version: string) => boolean;
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
  /** The client has the answer of this version, so that it need not be made: 304. */
  isKnown?: boolean;
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
        query: readQuery(declared.query, context, facts.repeats),
        body: readBody(declared, context),
        ownerId: context.get('apiKey')?.ownerId,
        by: authorOf(context),
        ifMatch: context.get('ifMatch'),
        knows: (version) => tagOfVersion(noneMatchOf(context), version) !== undefined,
        newId: context.get('newId'),
        now,
        context,
      };
      requireMatchFor(asked.body, facts.replaces ?? [], asked.ifMatch);
      const answer = await retryStale(asked.ifMatch, () => handle(asked));
      return render(context, facts, answer);
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
function readQuery<T>(
  schema: z.ZodType<T> | undefined,
  context: Context,
  repeats: readonly string[] = [],
): T {
  const sent = Object.entries(context.req.queries());
  const twice = sent.filter(([name, values]) => values.length > 1 && !repeats.includes(name));
  if (twice.length > 0) {
    throw invalidFaults(
      twice.map(([name]) => ({ pointer: `#/${name}`, detail: 'may be given only once' })),
    );
  }
  const input = Object.fromEntries(
    sent.map(([name, values]) => [name, repeats.includes(name) ? values : values[0]]),
  );
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

function render(context: Context, facts: OperationFacts, answer: Answer): Response {
  const status = answer.status ?? (facts.answer.status as ContentfulStatusCode);
  const content = contentOf(answer);
  const isRevalidated = status === 200 && canRevalidate(facts);
  const etag = etagOf({ version: answer.version, content: isRevalidated ? content?.text : null });
  const headers = {
    ...(isRevalidated && revalidatedHeaders(facts.access !== 'public')),
    ...answer.headers,
    ...(etag !== undefined && { etag }),
  };
  if (answer.isKnown && answer.version !== undefined) {
    const known = tagOfVersion(noneMatchOf(context), answer.version);
    return context.body(null, 304, { ...headers, ...(known !== undefined && { etag: known }) });
  }
  if (isRevalidated && hasCurrent(noneMatchOf(context), etag)) {
    return context.body(null, 304, headers);
  }
  if (!content) return context.newResponse(null, status, headers);
  return context.body(content.text, status, { ...headers, 'content-type': content.type });
}

function noneMatchOf(context: Context): string | undefined {
  return context.req.header('if-none-match');
}

function contentOf({ body, text }: Answer): { type: string; text: string } | undefined {
  if (text) return { type: text.type, text: text.content };
  if (body === undefined) return undefined;
  return { type: 'application/json', text: JSON.stringify(body) };
}

/** Whether the answer has an ETag of its bytes, so that a client may ask whether it has changed. */
export function canRevalidate({ method, answer }: OperationFacts): boolean {
  return method === 'get' && !answer.isUncached;
}
