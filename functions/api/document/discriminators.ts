// Unions by a named field: which value of the field means which schema. Generators of clients then read a
// value by its field instead of trying every schema.
import { type Json, reference } from './fragment.ts';

/**
 * Adds the mapping to each schema with a discriminator, and makes the values of the discriminating field a
 * schema. Go's clients check the values of a named schema and of no other; without that a rule matches several
 * members and can't be read.
 */
export function writeDiscriminators(schemas: ReadonlyMap<string, Json>): Map<string, Json> {
  const written = new Map(schemas);
  for (const [name, schema] of schemas) {
    const { discriminator, ...rest } = schema as Partial<Union>;
    if (!discriminator) continue;
    const mapping = mappingOf(written, { ...{ oneOf: [] }, ...rest, discriminator });
    // OpenAPI knows only texts as values: a choice by a number has no mapping.
    const isTold = Object.keys(mapping).length > 0;
    written.set(name, {
      ...rest,
      ...(isTold && { discriminator: { ...discriminator, mapping } }),
    });
  }
  return written;
}

function mappingOf(
  schemas: Map<string, Json>,
  { discriminator: { propertyName }, oneOf }: Union,
): Record<string, string> {
  return Object.fromEntries(
    oneOf.flatMap(({ $ref }) => {
      const member = $ref.slice(reference('').length);
      return nameValues(schemas, { member, propertyName }).map((value) => [value, $ref]);
    }),
  );
}

interface Union {
  discriminator: { propertyName: string };
  oneOf: { $ref: string }[];
}

/** @returns the values of a member's discriminating field, which have a schema of their own afterwards. */
function nameValues(
  schemas: Map<string, Json>,
  { member, propertyName }: { member: string; propertyName: string },
): readonly string[] {
  const { properties, ...rest } = schemas.get(member) as { properties: Record<string, Json> };
  const { $ref, enum: own } = properties[propertyName] as { $ref?: string; enum?: string[] };
  const values = own ?? (schemas.get(String($ref).slice(reference('').length))?.enum as string[]);
  if (values.some((value) => typeof value !== 'string')) return [];
  const id = idOf(values, propertyName);
  schemas.set(id, { type: 'string', enum: values });
  schemas.set(member, {
    ...rest,
    properties: { ...properties, [propertyName]: { $ref: reference(id) } },
  });
  return values;
}

/** The same values have one name: in Go each value is a constant, whatever schema it is of. */
function idOf(values: readonly string[], propertyName: string): string {
  const words = [...values.join('_or_').split('_'), propertyName];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
