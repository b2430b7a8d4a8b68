/**
 * What the service says about itself: the OpenAPI 3.1 document, written from the routes and the
 * contract's schemas, and the page behind a 402's `top_up_url`.
 */
import type { Context } from 'hono';
import * as z from 'zod';
import {
  errorEnvelopeSchema,
  paymentRequiredSchema,
  plainErrorSchema,
  tooManyJobsSchema,
} from '#shared/marketplace/contract.ts';
import type { Operation, Route } from './operation.ts';

type Json = Record<string, unknown>;

/** Answers the document; it is written once, at the first request. */
export function openApiRoute(routes: readonly Route[]) {
  let text: string | undefined;
  return (c: Context) => {
    text ??= JSON.stringify(writeOpenApi(routes.map(({ operation }) => operation)));
    return c.body(text, 200, { 'Content-Type': 'application/json' });
  };
}

/** The OpenAPI 3.1 document of the operations. Both servers name the same routes. */
export function writeOpenApi(operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: writeOperation(operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ticket Marketplace Data Service',
      version: '1.0.0',
      description: 'Secondary ticket marketplace data: events, prices over time, sales, listings.',
    },
    servers: [{ url: '/' }, { url: '/api' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      schemas: writeComponents(),
      headers: writeHeaders(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
      },
    },
  };
}

/** zod leaves a `default` that stands in the metadata alone out of input schemas. */
const asInput: z.core.ToJSONSchemaParams = {
  io: 'input',
  override: ({ zodSchema, jsonSchema }) => {
    const { default: value } = z.globalRegistry.get(zodSchema) ?? {};
    if (value !== undefined) Object.assign(jsonSchema, { default: value });
  },
};

const reference = (id: string) => `#/components/schemas/${id}`;

function writeComponents(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...asInput, uri: reference });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema, $id, id: _, ...rest } = schema as Json;
      return [id, rest];
    }),
  );
}

/** A schema with an id is referred to; another is written out. */
function writeSchema(schema: z.ZodType): Json {
  const id = schema.meta()?.id;
  if (id !== undefined) return { $ref: reference(id) };
  const { $schema, $defs, ...rest } = z.toJSONSchema(schema, asInput) as Json;
  return JSON.parse(JSON.stringify(rest).replaceAll('#/$defs/', reference(''))) as Json;
}

function writeOperation(operation: Operation): Json {
  const parameters = [...writePathParameters(operation), ...writeQuery(operation)];
  return {
    operationId: `${operation.method}${operation.path.replaceAll(/[^a-z0-9]+/gi, '_')}`,
    summary: operation.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: writeSchema(operation.body) } },
          },
        }
      : {}),
    responses: writeResponses(operation),
  };
}

function writePathParameters(operation: Operation): Json[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: name === 'event_id' ? 'integer' : 'string' },
  }));
}

function writeQuery(operation: Operation): Json[] {
  if (!operation.query) return [];
  const { properties = {} } = writeSchema(operation.query) as { properties?: Json };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
}

const limitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

function writeHeaders(): Json {
  const integer = (description: string) => ({ description, schema: { type: 'integer' } });
  return {
    'RateLimit-Limit': integer('Requests allowed per window'),
    'RateLimit-Remaining': integer('Requests left in the window'),
    'RateLimit-Reset': integer('Seconds until the window ends'),
    'Retry-After': integer('Seconds to wait'),
    'Content-Encoding': {
      description: 'Forced, whatever the client prefers',
      schema: { const: 'gzip' },
    },
  };
}

function headersOf(operation: Operation, status: number): Json {
  const limited = operation.bucket !== undefined && status !== 401;
  const names: string[] = limited ? [...limitHeaders] : [];
  if (status === 429 && operation.bucket) names.push('Retry-After');
  if (operation.gzip) names.push('Content-Encoding');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const descriptions: Record<number, string> = {
  400: 'A parameter, the cursor or the body does not fit',
  401: 'No key, a malformed one, or one that nobody has',
  402: 'The account cannot cover the charge',
  403: 'The subscription is missing',
  404: 'There is none of that id; a plain page where the id in the path is no integer',
  429: 'Over the limit',
  500: 'The service failed',
};

function writeResponses(operation: Operation): Json {
  const { answer } = operation;
  const type = answer.type ?? 'application/json';
  const schema = answer.schema
    ? writeSchema(answer.schema)
    : { type: type === 'text/csv' ? 'string' : 'object' };
  const implied = [
    401,
    ...(operation.access === 'csv' ? [] : [403]),
    ...(operation.bucket ? [429] : []),
    500,
  ];
  const statuses = [...new Set([...operation.refusals, ...implied])].sort();
  const refused = statuses.map((status) => [
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

function errorContent(operation: Operation, status: number): Json {
  if (status === 402) return json(paymentRequiredSchema);
  // Without a bucket it is not the rate but the number of jobs that is over.
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

function json(schema: z.ZodType): Json {
  return { 'application/json': { schema: writeSchema(schema) } };
}

/** Tells a person with an empty balance how to fill it here. */
export function topUpPage(c: Context): Response | Promise<Response> {
  const origin = new URL(c.req.url).origin;
  return c.text(
    `Add pulls with the operator's key:

curl -X POST ${origin}/operator/top-ups -H "Authorization: Bearer $OPERATOR_KEY" \\
  -H "Content-Type: application/json" -d '{"account":"lowBalance","pulls":100}'
`,
  );
}
