// The schemas of the OpenAPI document: each schema with an id is written once and referenced by its name.
import * as z from 'zod';

/** A fragment of the document. */
export type Json = Record<string, unknown>;

/** The reference to a schema of the document. */
export const reference = (id: string) => `#/components/schemas/${id}`;

/** zod leaves defaults and examples out of transformed schemas; ours are all written as input. */
const asInput: z.core.ToJSONSchemaParams = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    const { default: value, examples } = z.globalRegistry.get(zodSchema) ?? {};
    if (value !== undefined) Object.assign(jsonSchema, { default: value });
    if (Array.isArray(examples)) Object.assign(jsonSchema, { examples });
    if (jsonSchema.type === 'integer') widenInteger(jsonSchema);
  },
};

/** zod's own bounds are JavaScript's, and overflow the 32 bits that client generators assume. */
function widenInteger(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  schema.format = 'int64';
}

/** Writes schemas with an id once and references them. */
export class Components {
  readonly #schemas = new Map<string, Json>();

  refer(schema: z.ZodType): Json {
    const { $schema: _, $defs = {}, id, ...rest } = z.toJSONSchema(schema, asInput) as Json;
    for (const [name, part] of Object.entries($defs as Record<string, Json>))
      this.#keep(name, part);
    if (typeof id !== 'string') return relinked(rest);
    this.#keep(id, rest);
    return { $ref: reference(id) };
  }

  /** Every referenced schema by name, plus the schema that is always included. */
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
