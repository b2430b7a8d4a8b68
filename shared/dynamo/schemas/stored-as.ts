// Ties a table's schema to the domain's type at compile time, so that the two stay equal. Nested values are
// `any().castAs<Type>()`: the toolbox stores them unchanged, and the stores' attribute readings check them.
import type { FormattedValue, ItemSchema, MapSchema } from 'dynamodb-toolbox/schema';

/** Whether two types are the same, including whether properties are optional. */
type IsSame<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** The attributes that only one of two types has, or whose types differ. */
type Differing<One, Other> = {
  [Name in keyof One | keyof Other]: IsSame<
    Pick<One, Extract<Name, keyof One>>,
    Pick<Other, Extract<Name, keyof Other>>
  > extends true
    ? never
    : Name;
}[keyof One | keyof Other];

/** Accepts every schema whose items are `Domain`; otherwise the compiler's error names the differences. */
type Check<Schema extends ItemSchema | MapSchema, Domain> =
  IsSame<FormattedValue<Schema>, Domain> extends true
    ? unknown
    : { attributesThatDiffer: Differing<FormattedValue<Schema>, Domain> };

/**
 * Returns the schema unchanged. It compiles only if the items are exactly the domain's type.
 * @example export const ownerSchema = storedAs<Owner>()(item({ ownerId: string().key() }));
 */
export function storedAs<Domain>() {
  return <Schema extends ItemSchema | MapSchema>(schema: Schema & Check<Schema, Domain>): Schema =>
    schema;
}
