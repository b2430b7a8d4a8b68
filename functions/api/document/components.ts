// The schemas of the OpenAPI document: each schema with an id is written once and referenced by its name.
import * as z from 'zod';
import { inClientForms } from './client-forms.ts';
import { writeDiscriminators } from './discriminators.ts';
import { type Json, reference } from './fragment.ts';

/** zod leaves defaults and examples out of transformed schemas; ours are all written as input. */
const asInput: z.core.ToJSONSchemaParams = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    const { default: value, examples, id, shownForm } = z.globalRegistry.get(zodSchema) ?? {};
    if (value !== undefined) Object.assign(jsonSchema, { default: value });
    if (Array.isArray(examples)) Object.assign(jsonSchema, { examples });
    if (typeof shownForm === 'number') showOneForm(jsonSchema, shownForm);
    const { def } = zodSchema._zod;
    if (id !== undefined && 'discriminator' in def) {
      Object.assign(jsonSchema, { discriminator: { propertyName: def.discriminator } });
    }
  },
};

/** Clients read a choice between forms badly, so a schema may show one form and describe the others in words. */
function showOneForm(schema: z.core.JSONSchema.BaseSchema, form: number): void {
  const { anyOf = [], description } = schema;
  delete schema.anyOf;
  delete schema.shownForm;
  Object.assign(schema, anyOf[form], description !== undefined && { description });
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
    const written = writeDiscriminators(this.#schemas);
    return Object.fromEntries([...written].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #keep(name: string, schema: Json): void {
    const { id: _, ...rest } = schema;
    if (!this.#schemas.has(name)) this.#schemas.set(name, relinked(rest));
  }
}

function relinked(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return inClientForms(JSON.parse(text) as Json);
}
