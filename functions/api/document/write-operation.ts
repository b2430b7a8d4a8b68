// One operation of the OpenAPI document: its parameters, body and answers, and those that the conventions add.
import type * as z from 'zod';
import { canRevalidate, type OperationFacts } from '../operation.ts';
import type { Components } from './components.ts';
import { type Json, reference } from './fragment.ts';
import { headerRefs } from './headers.ts';
import { operationIdOf } from './operation-id.ts';
import { refusalsOf } from './refusals.ts';

/** The security scheme that names the scope that a key needs. */
export const schemeOf = { read: 'readKey', write: 'writeKey', admin: 'adminKey' } as const;

/** The Operation Object. */
export function writeOperation(operation: OperationFacts, components: Components): Json {
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
    security: operation.access === 'public' ? [] : [{ [schemeOf[operation.access]]: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...((operation.body ?? operation.form) && { requestBody: writeBody(operation, components) }),
    responses: writeResponses(operation, components),
  };
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

function headerParameters(operation: OperationFacts): Json[] {
  const { method, access, refusals = [], replaces } = operation;
  const header = (name: string, required: boolean, description: string, example: string) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
    example,
  });
  if (canRevalidate(operation)) {
    const what = 'The ETag of the answer that you have: 304 without a body if it has not changed';
    return [header('If-None-Match', false, what, '"Zb7mB2lRk0gCRmzXvYpW4A"')];
  }
  if (access === 'public') return [];
  const ifMatch = header('If-Match', false, matchWords(replaces), '*');
  const optional = refusals.includes(412) ? [ifMatch] : [];
  if (method === 'post') {
    const what =
      'Makes a repeated request safe for 24 hours: the same key with the same query and body gets the same answer. Use a UUID.';
    return [
      header('Idempotency-Key', false, what, '"8e03978e-40d5-43e8-bc93-6894a57f9324"'),
      ...optional,
    ];
  }
  return method === 'patch' || method === 'delete' ? [ifMatch] : optional;
}

function matchWords(replaces: readonly string[] | undefined): string {
  const tag = 'The ETag of the version that you read, or * for any version';
  if (!replaces) return `${tag}. Without it, the change applies to the newest version.`;
  const fields = replaces.map((field) => `\`${field}\``).join(' and ');
  return `${tag}. Required with ${fields}, which replace a whole list; other changes apply to the newest version without it.`;
}

function writeBody(operation: OperationFacts, components: Components): Json {
  const { body, form, bodyExamples, csvExamples, isBodyOptional = false } = operation;
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
      ...(csvExamples && { 'text/csv': { schema: { type: 'string' }, examples: csvExamples } }),
    },
  };
}

function writeResponses(operation: OperationFacts, components: Components): Json {
  const {
    status,
    description,
    schema,
    types = ['application/json'],
    hasVersion = false,
  } = operation.answer;
  const isRevalidated = canRevalidate(operation);
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
      headers: headerRefs({ isLimited, hasTag: hasVersion || isRevalidated }),
      ...(status !== 204 && { content }),
    },
    ...(isRevalidated && {
      304: {
        description: 'The answer is still the one whose ETag is in If-None-Match',
        headers: headerRefs({ isLimited, hasTag: true }),
      },
    }),
    ...(operation.accepted && { 202: writeAccepted(operation.accepted, components) }),
    ...Object.fromEntries(refused),
  };
}

function writeAccepted(
  { description, schema }: NonNullable<OperationFacts['accepted']>,
  components: Components,
): Json {
  return {
    description,
    headers: headerRefs({ isLimited: true, retry: true, hasLocation: true }),
    content: { 'application/json': { schema: components.refer(schema) } },
  };
}
