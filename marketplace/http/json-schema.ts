/**
 * The JSON Schema of a zod schema in a form that client generators can read: no tuples, no bare
 * null, no patterns beside a format, and 64 bits for every integer. Knows nothing of HTTP.
 */
import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** zod omits a `default` from input schemas when only the metadata has it. */
const asInput: z.core.ToJSONSchemaParams = {
  io: 'input',
  override: ({ zodSchema, jsonSchema }) => {
    const { default: value } = z.globalRegistry.get(zodSchema) ?? {};
    if (value !== undefined) Object.assign(jsonSchema, { default: value });
  },
};

const reference = (id: string) => `#/components/schemas/${id}`;

/**
 * The schemas that a part of the document refers to, and those that these refer to, by their ids.
 * zod's registry may also have the schemas of other documents of the process.
 */
export function writeComponents(part: unknown): JsonSchema {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...asInput, uri: reference });
  const written: JsonSchema = {};
  const add = (id: string) => {
    if (id in written) return;
    const { $schema, $id, id: _, ...rest } = schemas[id] as JsonSchema;
    written[id] = tuples[id] ?? simplify(rest);
    idsIn(written[id]).forEach(add);
  };
  idsIn(part).forEach(add);
  return Object.fromEntries(Object.entries(written).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function idsIn(part: unknown): string[] {
  const found = JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return [...found].map(([, id = '']) => id);
}

/** A schema with an id becomes a reference; any other is written inline. */
export function writeSchema(schema: z.ZodType): JsonSchema {
  const id = schema.meta()?.id;
  if (id !== undefined) return { $ref: reference(id) };
  const { $schema, $defs, ...rest } = z.toJSONSchema(schema, asInput) as JsonSchema;
  const text = JSON.stringify(rest).replaceAll('#/$defs/', reference(''));
  return simplify(JSON.parse(text) as JsonSchema);
}

/** Generators can't read tuples, so the description tells what each position holds. */
const tuples: JsonSchema = {
  Sources: {
    type: 'array',
    items: { $ref: reference('SourceStatus') },
    minItems: 2,
    maxItems: 2,
    description: 'Two entries, sh first, whatever source was requested',
  },
};

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function simplify(schema: JsonSchema): JsonSchema {
  const nested = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, simplifyPart(key, value)]),
  );
  return simplifyScalar(simplifyConst(simplifyTuple(simplifyAnyOf(nested))));
}

/** Names of properties are no keywords; examples and defaults are plain values. */
function simplifyPart(key: string, value: unknown): unknown {
  if (key === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, isObject(part) ? simplify(part) : part]),
    );
  }
  if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(key) && Array.isArray(value)) {
    return value.map((part) => (isObject(part) && part.type !== 'null' ? simplify(part) : part));
  }
  if (key === 'additionalProperties' && isObject(value) && Object.keys(value).length === 0) {
    return true;
  }
  return ['items', 'additionalProperties'].includes(key) && isObject(value)
    ? simplify(value)
    : value;
}

/** `anyOf` of a type and null is a list of types; `anyOf` of values of one type is an enum. */
function simplifyAnyOf(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const parts = anyOf.filter(isObject);
  const [only, ...more] = parts.filter(({ type }) => type !== 'null');
  if (only && more.length === 0 && typeof only.type === 'string') {
    return { ...only, ...rest, type: [only.type, 'null'] };
  }
  // A date or a datetime: the description tells both formats.
  if (parts.every(({ type, enum: among }) => type === 'string' && !among)) {
    return { ...rest, type: 'string' };
  }
  const values = parts.flatMap((part) => (Array.isArray(part.enum) ? part.enum : []));
  if (values.length < parts.length) return schema;
  return { ...rest, type: values.every(Number.isInteger) ? 'integer' : 'string', enum: values };
}

function simplifyTuple(schema: JsonSchema): JsonSchema {
  const { prefixItems, items, ...rest } = schema;
  if (!Array.isArray(prefixItems)) return schema;
  const count = prefixItems.length;
  return { ...rest, items: prefixItems[0], minItems: count, maxItems: count };
}

function simplifyConst(schema: JsonSchema): JsonSchema {
  const { const: value, ...rest } = schema;
  if (schema.type === 'null') return { ...rest, type: ['number', 'null'] };
  if (value === undefined) return schema;
  return value === '' ? { ...rest, maxLength: 0 } : { ...rest, enum: [value] };
}

/** zod's bounds are JavaScript's, which overflow the 32 bits that generators assume. */
function simplifyScalar(schema: JsonSchema): JsonSchema {
  const { pattern, propertyNames, ...rest } = schema;
  const types: unknown[] = [schema.type].flat();
  // Not all languages support `\p{…}`, the pattern for letters of any script.
  const keepsPattern = schema.format === undefined && pattern && !String(pattern).includes('\\p{');
  if (!types.includes('integer')) return keepsPattern ? { ...rest, pattern } : rest;
  if (Math.abs(Number(rest.minimum)) === Number.MAX_SAFE_INTEGER) delete rest.minimum;
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum;
  return { ...rest, format: 'int64' };
}
