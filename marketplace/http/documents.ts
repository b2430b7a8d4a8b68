/**
 * The OpenAPI 3.1 document of the service, generated from the routes and the contract's schemas,
 * and the page behind a 402's `top_up_url`.
 */
import type { Context } from 'hono';
import type * as z from 'zod';
import { type JsonSchema, writeComponents, writeSchema } from './json-schema.ts';
import type { Route, RouteOperation } from './operation.ts';
import { writeHeaders, writeResponses } from './responses.ts';

/** Serves the document; generates it once, at the first request. */
export function openApiRoute(routes: readonly Route[]) {
  let text: string | undefined;
  return (c: Context) => {
    text ??= JSON.stringify(writeOpenApi(routes.map(({ operation }) => operation)));
    return c.body(text, 200, { 'Content-Type': 'application/json' });
  };
}

/** The OpenAPI 3.1 document of the operations. Both servers have the same routes. */
export function writeOpenApi(operations: readonly RouteOperation[]): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
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
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: 'Secondary ticket marketplace data: events, prices over time, sales, listings.',
    },
    servers: [{ url: '/' }, { url: '/api' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags,
    paths,
    components: {
      schemas: writeComponents({ paths, headers: writeHeaders() }),
      headers: writeHeaders(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
      },
    },
  };
}

const tags = [
  { name: 'Data', description: 'The account and the market’s events, prices, sales and listings' },
  { name: 'Operator', description: 'Fills the market; needs the operator’s key' },
];

/** The key that a route needs and the rate limit in which its calls count. */
function accessWords({ access, bucket, describeLimit }: RouteOperation): string {
  const key = {
    api: '',
    csv: 'Needs the daily CSV subscription.',
    operator: 'Needs the operator’s key.',
  }[access];
  const other = describeLimit ? 'Limited by the number of unfinished jobs.' : '';
  const limit = bucket ? `Counts in the rate limit \`${bucket}\`.` : other;
  return [key, limit].filter(Boolean).join(' ');
}

function writeOperation(operation: RouteOperation): JsonSchema {
  const parameters = [...writePathParameters(operation), ...writeQuery(operation)];
  return {
    operationId: `${operation.method}${operation.path.replaceAll(/[^a-z0-9]+/gi, '_')}`,
    tags: [operation.access === 'operator' ? 'Operator' : 'Data'],
    summary: operation.summary,
    description: [operation.description, accessWords(operation)].filter(Boolean).join(' '),
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

function writePathParameters(operation: RouteOperation): JsonSchema[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: writePathParameter(operation.params?.[name], name),
  }));
}

/** The example is the first event of the simulator. */
function writePathParameter(schema: z.ZodType | undefined, name: string): JsonSchema {
  if (schema) return writeSchema(schema);
  if (name !== 'event_id') return { type: 'string' };
  return { type: 'integer', format: 'int64', minimum: 0, examples: [10_001] };
}

function writeQuery(operation: RouteOperation): JsonSchema[] {
  if (!operation.query) return [];
  const { properties = {} } = writeSchema(operation.query) as { properties?: JsonSchema };
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as JsonSchema;
    const text = description === undefined ? {} : { description };
    return { name, in: 'query', required: false, ...text, schema: rest };
  });
}

/** Tells a person with an empty balance how to top it up. */
export function topUpPage(c: Context): Response | Promise<Response> {
  const origin = new URL(c.req.url).origin;
  return c.text(
    `Add pulls with the operator's key:

curl -X POST ${origin}/operator/top-ups -H "Authorization: Bearer $OPERATOR_KEY" \\
  -H "Content-Type: application/json" -d '{"account":"lowBalance","pulls":100}'
`,
  );
}
