// Writes the OpenAPI 3.1 document from the operations and the webhooks. Each fact has one source.
import * as z from 'zod';
import type { Access, OperationFacts } from '../operation.ts';
import { problemKinds } from '../problem.ts';
import { Components } from './components.ts';
import type { Json } from './fragment.ts';
import { headerComponents } from './headers.ts';
import type { WebhookFacts } from './webhook-facts.ts';
import { schemeOf, writeOperation } from './write-operation.ts';

/** The document's own title and texts, and the webhooks that the API sends. */
export interface DocumentFacts {
  description: string;
  tags: readonly { name: string; description: string }[];
  webhooks: Readonly<Record<string, WebhookFacts>>;
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
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that served this document' }],
    security: [{ [schemeOf.read]: [] }],
    tags: facts.tags,
    paths,
    webhooks,
    components: {
      schemas,
      headers: headerComponents(),
      securitySchemes: Object.fromEntries(
        Object.entries(schemeWords).map(([access, description]) => [
          schemeOf[access as keyof typeof schemeOf],
          { type: 'http', scheme: 'bearer', description },
        ]),
      ),
    },
  };
}

/** The scheme of each scope: all are the same header, and the name says which keys may call. */
const schemeWords = {
  read: 'Any key, such as getin_…',
  write: 'A key with scope write or admin',
  admin: 'A key with scope admin',
} as const satisfies Record<Exclude<Access, 'public'>, string>;

/** The body of every refusal (RFC 9457). */
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

/** Standard Webhooks, version 1. */
const webhookHeaders = [
  ['webhook-id', 'The delivery; the same on every attempt, so that a receiver can tell a repeat'],
  ['webhook-timestamp', 'When the attempt was made, in seconds since 1970'],
  [
    'webhook-signature',
    'Signatures by every valid secret, the newest first: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`',
  ],
].map(([name, description]) => ({
  ...{ name, description, in: 'header', required: true },
  schema: { type: 'string' },
}));

function writeWebhook(name: string, hook: WebhookFacts, components: Components): Json {
  return {
    post: {
      // No client sends these: generators leave the operation out and write the body's schema.
      'x-internal': true,
      operationId: name.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase()),
      tags: ['Webhooks'],
      summary: hook.summary,
      description: hook.description,
      security: [],
      parameters: webhookHeaders,
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
