// JSON Schema in the forms that generators of clients read right. The meaning stays: a form is replaced only
// by one that accepts the same values.
import type { Json } from './fragment.ts';

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const nests: Readonly<Record<string, 'one' | 'list' | 'named'>> = {
  items: 'one',
  additionalProperties: 'one',
  propertyNames: 'one',
  anyOf: 'list',
  oneOf: 'list',
  allOf: 'list',
  properties: 'named',
};

/** The schema and all within it, rewritten. */
export function inClientForms(schema: Json): Json {
  const inner = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    rewriteNested(nests[keyword], value),
  ]);
  const rewritten = mergeConstants(writeConstant(Object.fromEntries(inner) as Json));
  return writeNumber(dropPattern(chooseOne(rewritten)));
}

function rewriteNested(nest: 'one' | 'list' | 'named' | undefined, value: unknown): unknown {
  if (nest === undefined || typeof value !== 'object' || value === null) return value;
  if (nest === 'one') return inClientForms(value as Json);
  if (nest === 'list') return (value as Json[]).map(inClientForms);
  return Object.fromEntries(
    Object.entries(value as Record<string, Json>).map(([name, part]) => [
      name,
      inClientForms(part),
    ]),
  );
}

/** Clients check the values of an `enum` and ignore a `const`. */
function writeConstant(schema: Json): Json {
  const { const: value, ...rest } = schema;
  if (value === undefined) return schema;
  const isInteger = Number.isInteger(value);
  return { ...rest, ...(isInteger && { type: 'integer' }), enum: [value] };
}

/** A choice between single values of one type is one `enum`. */
function mergeConstants(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const choices = anyOf as Json[];
  const types = new Set(choices.map(({ type }) => type));
  if (types.size > 1 || !choices.every((choice) => Array.isArray(choice.enum))) return schema;
  return { ...rest, type: choices[0]?.type, enum: choices.flatMap((choice) => choice.enum) };
}

/** A value has one of these types: TypeScript's clients read `oneOf` as `number | string`, and `anyOf` as `{}`. */
function chooseOne(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const types = (anyOf as Json[]).map(({ type }) => type);
  const isExclusive = new Set(types).size === types.length;
  if (!isExclusive || !types.every((type) => type === 'number' || type === 'string')) return schema;
  return { ...rest, oneOf: anyOf };
}

/** Clients match the pattern against their own type of date, and find it wrong. The format says the same. */
function dropPattern(schema: Json): Json {
  if (schema.format !== 'date-time' && schema.format !== 'date') return schema;
  const { pattern: _, ...rest } = schema;
  return rest;
}

/**
 * Without a format, Go takes a number for 32 bits and rounds 12345.67. zod's own bounds of integers are
 * JavaScript's, which overflow 32 bits too.
 */
function writeNumber(schema: Json): Json {
  const types = [schema.type].flat();
  if (types.includes('number')) return { format: 'double', ...schema };
  if (!types.includes('integer')) return schema;
  const { minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    format: 'int64',
  };
}
