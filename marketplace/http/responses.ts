/**
 * The answers of each operation in the OpenAPI document: statuses, bodies and headers, including
 * those that access, bucket and body imply.
 */
import type * as z from 'zod';
import {
  errorEnvelopeSchema,
  paymentRequiredSchema,
  plainErrorSchema,
  tooManyJobsSchema,
} from '#shared/marketplace/contract.ts';
import { type JsonSchema, writeSchema } from './json-schema.ts';
import type { RouteOperation } from './operation.ts';

const limitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** The headers by name, for the document's components. */
export function writeHeaders(): JsonSchema {
  const integer = (description: string) => ({
    description,
    schema: { type: 'integer', format: 'int64' },
  });
  const text = (description: string) => ({ description, schema: { type: 'string' } });
  return {
    'RateLimit-Limit': integer('Requests allowed per window; of event-add: unfinished jobs'),
    'RateLimit-Remaining': integer('Requests left in the window; of event-add: jobs left'),
    'RateLimit-Reset': integer('Seconds until the window ends, or a job must have ended'),
    'Retry-After': integer('Seconds to wait'),
    Allow: text('The methods that the path takes'),
    Connection: text('close: the connection ends after this answer'),
    'Content-Encoding': {
      description: 'Always, whatever the client prefers',
      schema: { type: 'string', enum: ['gzip'] },
    },
  };
}

const extraHeaders: Record<number, readonly string[]> = {
  405: ['Allow'],
  413: ['Connection'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function headersOf(operation: RouteOperation, status: number): JsonSchema {
  const isLimited = operation.bucket !== undefined || operation.describeLimit !== undefined;
  const names = [...(isLimited ? limitHeaders : []), ...(extraHeaders[status] ?? [])];
  if (operation.gzip) names.push('Content-Encoding');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const descriptions: Record<number, string> = {
  400: 'A parameter, the cursor or the body is invalid',
  401: 'The key is missing, malformed or unknown',
  402: 'The account cannot cover the charge',
  403: 'The subscription is missing',
  404: 'No item has this id; an HTML page if the id in the path is not an integer',
  405: 'The path does not take this method',
  413: 'The body is too large; the connection closes',
  429: 'Over the limit',
  500: 'The service failed',
  503: 'The data is being written by another process',
};

/** Statuses of the operation besides its success. */
function refusalsOf(operation: RouteOperation): number[] {
  const implied = [
    401,
    ...(operation.access === 'csv' ? [] : [403]),
    405,
    ...(operation.body ? [413] : []),
    ...(operation.bucket ? [429] : []),
    500,
    503,
  ];
  return [...new Set([...operation.refusals, ...implied])].sort();
}

export function writeResponses(operation: RouteOperation): JsonSchema {
  const { answer } = operation;
  const type = answer.type ?? 'application/json';
  const schema = answer.schema
    ? writeSchema(answer.schema)
    : { type: type === 'text/csv' ? 'string' : 'object' };
  const refused = refusalsOf(operation).map((status) => [
    status,
    {
      description: descriptions[status] ?? 'Refused',
      headers: headersOf(operation, status),
      content: errorContent(operation, status),
    },
  ]);
  return {
    [answer.status]: {
      description: answer.description,
      headers: headersOf(operation, answer.status),
      content: { [type]: { schema } },
    },
    ...Object.fromEntries(refused),
  };
}

function errorContent(operation: RouteOperation, status: number): JsonSchema {
  if (status === 402) return json(paymentRequiredSchema);
  // Without a bucket, a 429 means too many jobs, not too many calls.
  if (status === 429 && !operation.bucket) return json(tooManyJobsSchema);
  if (operation.errors === 'envelope') {
    const page = status === 404 ? { 'text/html': { schema: { type: 'string' } } } : {};
    return { ...json(errorEnvelopeSchema), ...page };
  }
  const plain = { 'text/plain': { schema: { type: 'string' } } };
  if (operation.errors === 'text') return plain;
  const isText = operation.access === 'csv' ? status === 400 : status === 404;
  return isText ? plain : json(plainErrorSchema);
}

function json(schema: z.ZodType): JsonSchema {
  return { 'application/json': { schema: writeSchema(schema) } };
}
