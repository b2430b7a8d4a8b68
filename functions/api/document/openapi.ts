// Writes the OpenAPI 3.1 document from the operations: their paths, schemas, examples, and what the
// conventions add to each. Nothing in it is written twice.
import * as z from 'zod';
import type { OperationFacts } from '../operation.ts';
import { problemKinds } from '../problem.ts';
import { headerComponents, headerRefs } from './headers.ts';
import { refusalsOf } from './refusals.ts';

export type Json = Record<string, unknown>;

/** What the document says of itself and of what the API sends to others. */
export interface DocumentFacts {
  description: string;
  tags: readonly { name: string; description: string }[];
  webhooks: Record<
    string,
    { summary: string; description: string; schema: z.ZodType; example: unknown }
  >;
}

/** The whole document. */
export function writeOpenApi(operations: readonly OperationFacts[], facts: DocumentFacts): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: writeOperation(operation, components) };
  }
  const webhooks = Object.fromEntries(
    Object.entries(facts.webhooks).map(([name, hook]) => [
      name,
      writeWebhook(name, hook, components),
    ]),
  );
  const schemas = components.written(problemSchema);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Getin watchlist API',
      version: '1.0.0',
      description: facts.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that served this document' }],
    security: [{ apiKey: [] }],
    tags: facts.tags,
    paths,
    webhooks,
    components: {
      schemas,
      headers: headerComponents(),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A key such as getin_…' },
      },
    },
  };
}

/** Every refusal's body (RFC 9457). */
const problemSchema = z
  .looseObject({
    type: z
      .enum(Object.keys(problemKinds).map((kind) => `urn:getin:problem:${kind}`) as [string])
      .meta({ description: 'Stable; branch on this' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'The fault of this request, in words' }),
    errors: z
      .array(
        z.looseObject({
          pointer: z.string().meta({ description: 'JSON pointer into the body or query' }),
          detail: z.string(),
          min: z.number().optional(),
          max: z.number().optional(),
        }),
      )
      .optional()
      .meta({ description: 'Every fault of the body or query at once' }),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457)' });

const reference = (id: string) => `#/components/schemas/${id}`;

/** zod leaves defaults and examples out of what it transforms; ours are all written as input. */
const asInput: z.core.ToJSONSchemaParams = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    const { default: value, examples } = z.globalRegistry.get(zodSchema) ?? {};
    if (value !== undefined) Object.assign(jsonSchema, { default: value });
    if (Array.isArray(examples)) Object.assign(jsonSchema, { examples });
  },
};

/** Schemas with an id are written once and referred to. */
class Components {
  readonly #schemas = new Map<string, Json>();

  refer(schema: z.ZodType): Json {
    const { $schema: _, $defs = {}, id, ...rest } = z.toJSONSchema(schema, asInput) as Json;
    for (const [name, part] of Object.entries($defs as Record<string, Json>))
      this.#keep(name, part);
    if (typeof id !== 'string') return relinked(rest);
    this.#keep(id, rest);
    return { $ref: reference(id) };
  }

  /** Every schema that was referred to, by name, with one that is always there. */
  written(always: z.ZodType): Json {
    this.refer(always);
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #keep(name: string, schema: Json): void {
    const { id: _, ...rest } = schema;
    if (!this.#schemas.has(name)) this.#schemas.set(name, relinked(rest));
  }
}

function relinked(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as Json;
}

function writeOperation(operation: OperationFacts, components: Components): Json {
  const parameters = [
    ...writeFields(operation.params, 'path', components),
    ...writeFields(operation.query, 'query', components),
    ...headerParameters(operation),
  ];
  return {
    operationId: operationIdOf(operation),
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    // The scope that a key needs, as a role name (OpenAPI 3.1, Security Requirement Object).
    security: operation.access === 'public' ? [] : [{ apiKey: [operation.access] }],
    ...(parameters.length > 0 && { parameters }),
    ...((operation.body ?? operation.form) && { requestBody: writeBody(operation, components) }),
    responses: writeResponses(operation, components),
  };
}

/** "getV1WatchesById" */
function operationIdOf({ method, path }: OperationFacts): string {
  const words = path
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .split(/[^a-z0-9]+/i)
    .filter((word) => word !== '');
  return method + words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
}

function writeFields(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  components: Components,
): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = components.refer(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, examples, ...field }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema: field,
    ...(Array.isArray(examples) && { example: examples[0] }),
  }));
}

function headerParameters({ method, access, refusals = [] }: OperationFacts): Json[] {
  const header = (name: string, required: boolean, description: string, example: string) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
    example,
  });
  if (access === 'public') return [];
  const ifMatch = (required: boolean) =>
    header(
      'If-Match',
      required,
      'The ETag of the version that you read, or * for any version',
      '*',
    );
  if (method === 'post') {
    const what =
      'Makes a repeated request safe for 24 hours: the same key and body get the same answer. Use a UUID.';
    return [
      header('Idempotency-Key', false, what, '"8e03978e-40d5-43e8-bc93-6894a57f9324"'),
      ...(refusals.includes(412) ? [ifMatch(false)] : []),
    ];
  }
  return method === 'patch' || method === 'delete' ? [ifMatch(true)] : [];
}

function writeBody(operation: OperationFacts, components: Components): Json {
  const { body, form, bodyExamples, takesCsv = false, isBodyOptional = false } = operation;
  const media = (schema: z.ZodType) => ({
    schema: components.refer(schema),
    ...(bodyExamples && { examples: bodyExamples }),
  });
  return {
    required: !isBodyOptional,
    content: {
      ...(body && { 'application/json': media(body) }),
      ...(form && { 'application/x-www-form-urlencoded': media(form) }),
      ...(form && { 'multipart/form-data': media(form) }),
      ...(takesCsv && { 'text/csv': { schema: { type: 'string' } } }),
    },
  };
}

function writeResponses(operation: OperationFacts, components: Components): Json {
  const {
    status,
    description,
    schema,
    types = ['application/json'],
    hasVersion,
  } = operation.answer;
  const content = Object.fromEntries(
    types.map((type) => [
      type,
      {
        schema:
          schema && type === 'application/json' ? components.refer(schema) : { type: 'string' },
      },
    ]),
  );
  const isLimited = operation.access !== 'public';
  const refused = refusalsOf(operation).map(({ status: code, words }) => [
    String(code),
    {
      description: words,
      headers: headerRefs({ isLimited: isLimited && code !== 401, retry: code === 429 }),
      content: {
        'application/problem+json': { schema: { $ref: reference('Problem') } },
        ...(operation.refusesByPage && { 'text/html': { schema: { type: 'string' } } }),
      },
    },
  ]);
  return {
    [String(status)]: {
      description,
      headers: headerRefs({ isLimited, hasVersion: hasVersion ?? false }),
      ...(status !== 204 && { content }),
    },
    ...Object.fromEntries(refused),
  };
}

function writeWebhook(
  name: string,
  hook: DocumentFacts['webhooks'][string],
  components: Components,
): Json {
  return {
    post: {
      operationId: name.replaceAll('.', '_'),
      tags: ['Webhooks'],
      summary: hook.summary,
      description: hook.description,
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: components.refer(hook.schema),
            examples: { usual: { summary: hook.summary, value: hook.example } },
          },
        },
      },
      responses: {
        '2XX': { description: 'Taken' },
        '4XX': {
          description:
            'Refused; the message is retried, except after 410, which disables the channel',
        },
      },
    },
  };
}
