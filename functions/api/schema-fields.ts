// Walks a zod schema: finds the part that a path leads to, and the fields of that part.
// If the schema is a union, it follows the form that fits the input.
import * as z from 'zod';

/** The part of the schema that a path into the input leads to; undefined if there is none. */
export function schemaAt(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  input: unknown,
): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  let value = input;
  for (const part of path) {
    at = at && childOf(unwrap(at, value), part);
    value = isRecord(value) ? value[String(part)] : undefined;
  }
  return at;
}

/** The names of the fields that the object at a path may have. */
export function fieldsAt(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  input: unknown,
): string[] {
  const at = schemaAt(schema, path, input);
  if (!at) return [];
  const value = path.reduce<unknown>(
    (inner, part) => (isRecord(inner) ? inner[String(part)] : undefined),
    input,
  );
  const object = unwrap(at, value);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function childOf(schema: z.ZodType, part: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(part)] as z.ZodType | undefined;
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  return schema instanceof z.ZodRecord ? (schema.valueType as z.ZodType) : undefined;
}

/** The schema without its wrappers, in the form that fits the input. */
function unwrap(schema: z.ZodType, value: unknown): z.ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return unwrap(schema.unwrap() as z.ZodType, value);
  }
  if (schema instanceof z.ZodPipe) return unwrap(schema.in as z.ZodType, value);
  if (!(schema instanceof z.ZodUnion)) return schema;
  const options = (schema.options as z.ZodType[]).map((option) => unwrap(option, value));
  return options.find((option) => isFormOf(option, value)) ?? schema;
}

/** Whether the object's literal fields (a `type`, a `kind`) match the value's. */
function isFormOf(schema: z.ZodType, value: unknown): boolean {
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return false;
  const fixed = Object.entries(schema.shape).filter(
    ([, field]) => field instanceof z.ZodLiteral || field instanceof z.ZodEnum,
  );
  const marks = fixed.filter(([name]) => ['type', 'kind', 'of'].includes(name));
  return marks.every(([name, field]) => (field as z.ZodType).safeParse(value[name]).success);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
