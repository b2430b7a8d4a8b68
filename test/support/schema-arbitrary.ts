// Values that a zod schema accepts, generated from the schema itself, so that a new field is tested without a new
// generator. Sometimes a value that it refuses. Supports the kinds of schema that the API uses.
import fc from 'fast-check';
import type * as z from 'zod';

/** Texts and numbers for leaves, besides those at their bounds. */
export interface OddLeaves {
  texts: readonly string[];
  numbers: readonly number[];
}

type Schema = z.core.$ZodType;

/** A value as a client could send it: the schema's input, before defaults and transformations. */
export function arbitraryOf(schema: Schema, odd: OddLeaves): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return objectOf(schema, def.shape, odd);
    case 'array':
      return fc.array(arbitraryOf(def.element, odd), lengthsOf(schema));
    case 'record':
      return fc.dictionary(
        arbitraryOf(def.keyType, odd).map(String),
        arbitraryOf(def.valueType, odd),
        { maxKeys: 3 },
      );
    case 'union':
      return fc.oneof(...def.options.map((option) => arbitraryOf(option, odd)));
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textOf(schema, odd);
    case 'number':
      return numberOf(schema, odd);
    case 'nullable':
      return fc.oneof(
        { weight: 4, arbitrary: arbitraryOf(def.innerType, odd) },
        { weight: 1, arbitrary: fc.constant(null) },
      );
    case 'optional':
    case 'default':
    case 'prefault':
      return arbitraryOf(def.innerType, odd);
    case 'pipe':
      return arbitraryOf(def.in, odd);
    default:
      throw new Error(`values of a ${def.type} are not made here yet: add them`);
  }
}

const mostOptional = 7;

/**
 * Required fields, and some optional ones: an optional field that is refused beside the others is removed, so
 * that most objects are accepted even if fields depend on each other.
 */
function objectOf(
  schema: Schema,
  shape: Readonly<Record<string, Schema>>,
  odd: OddLeaves,
): fc.Arbitrary<unknown> {
  const names = Object.keys(shape);
  const isRequired = (name: string) => shape[name]?._zod.optin === undefined;
  const required = names.filter(isRequired);
  const optional = names.filter((name) => !isRequired(name));
  const models = Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, arbitraryOf(field, odd)]),
  );
  const only = (wanted: readonly string[]) =>
    fc.record(Object.fromEntries(wanted.map((name) => [name, models[name] ?? fc.constant(null)])));
  return fc
    .tuple(
      fc.shuffledSubarray(optional, { maxLength: Math.min(mostOptional, optional.length) }),
      fc.nat(19),
    )
    .chain(([wanted, dice]) =>
      fc.tuple(only(required), only(wanted)).map(([fixed, free]) => {
        if (dice === 0) return { ...fixed, ...free };
        return addFitting(schema, fixed, wanted, free);
      }),
    );
}

function addFitting(
  schema: Schema,
  fixed: Record<string, unknown>,
  wanted: readonly string[],
  free: Record<string, unknown>,
): Record<string, unknown> {
  let taken = fixed;
  let faults = faultsOf(schema, taken);
  for (const name of wanted) {
    const more = { ...taken, [name]: free[name] };
    const faultsThen = faultsOf(schema, more);
    if (faultsThen > faults) continue;
    taken = more;
    faults = faultsThen;
  }
  return taken;
}

function faultsOf(schema: Schema, value: unknown): number {
  return (schema as z.ZodType).safeParse(value).error?.issues.length ?? 0;
}

function accepts(schema: Schema, value: unknown): boolean {
  return (schema as z.ZodType).safeParse(value).success;
}

function lengthsOf(schema: Schema): { minLength: number; maxLength: number } {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema._zod.bag as Bounds;
  return { minLength: minimum, maxLength: Math.min(maximum, minimum + 2) };
}

interface Bounds {
  minimum?: number;
  maximum?: number;
}

/** Usually one of the known texts that the schema accepts; sometimes any text, and sometimes a refused one. */
function textOf(schema: Schema, { texts }: OddLeaves): fc.Arbitrary<string> {
  const { minimum: minLength = 0, maximum = 40 } = schema._zod.bag as Bounds;
  const free = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maximum, 40) });
  const anything = accepts(schema, 'any text') ? [{ weight: 8, arbitrary: free }] : [];
  return fc.oneof(...picks(schema, texts), ...anything);
}

function numberOf(schema: Schema, { numbers }: OddLeaves): fc.Arbitrary<number> {
  return fc.oneof(...picks(schema, numbers));
}

function picks<Leaf>(schema: Schema, leaves: readonly Leaf[]) {
  const taken = leaves.filter((leaf) => accepts(schema, leaf));
  const any = { weight: 1, arbitrary: fc.constantFrom(...leaves) };
  return taken.length > 0 ? [any, { weight: 40, arbitrary: fc.constantFrom(...taken) }] : [any];
}
