// The schemas of the OpenAPI document: each with an id is written once, and referred to by its name.
import * as z from 'zod';

/** A part of the document. */
export type Json = Record<string, unknown>;

/** How a schema of the document is referred to. */
export const reference = (id: string) => `#/components/schemas/${id}`;

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
