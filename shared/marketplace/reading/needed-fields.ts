/**
 * How an answer's object is read. Fields that this project needs are checked against the contract
 * (../contract/); any other field is read if it is valid and left out if not. So a renamed or new field
 * never fails an answer that has the needed fields.
 */
import * as z from 'zod';

/** A field that this project does not need: left out when invalid. */
export function spare<S extends z.ZodType>(schema: S) {
  return schema.optional().catch(undefined);
}

type Spared<Shape extends z.ZodRawShape, Needed extends keyof Shape> = {
  [Field in keyof Shape]: Field extends Needed
    ? Shape[Field]
    : z.ZodCatch<z.ZodOptional<Shape[Field]>>;
};

/** The object with only the needed fields required; unknown fields pass through. */
export function needing<Shape extends z.ZodRawShape, Needed extends keyof Shape & string>(
  schema: z.ZodObject<Shape>,
  ...needed: readonly Needed[]
): z.ZodObject<Spared<Shape, Needed>, z.core.$loose> {
  const names: ReadonlySet<string> = new Set(needed);
  const shape = Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => [
      name,
      names.has(name) ? field : spare(field as z.ZodType),
    ]),
  );
  return z.looseObject(shape as Spared<Shape, Needed>);
}
