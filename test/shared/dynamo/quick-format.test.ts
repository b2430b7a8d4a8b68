// The quick formatter against the library's, on items of every stored schema.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Entity } from 'dynamodb-toolbox/entity';
import { EntityFormatter } from 'dynamodb-toolbox/entity/actions/format';
import type { ItemSchema, Schema } from 'dynamodb-toolbox/schema';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RawItem } from '#shared/dynamo/attribute-readings.ts';
import { quickFormat } from '#shared/dynamo/quick-format.ts';
import { createWatchlistTable } from '#shared/dynamo/tables.ts';

const table = createWatchlistTable({} as never, 'Watchlist');
const folder = join(import.meta.dirname, '../../../shared/dynamo/schemas');
const files = readdirSync(folder).filter((name) => name.endsWith('-schema.ts'));
const modules: Record<string, unknown>[] = await Promise.all(
  files.map((name) => import(join(folder, name))),
);

const isItemSchema = (value: unknown): value is ItemSchema =>
  (value as ItemSchema | undefined)?.type === 'item';

/** An entity for each schema of an item. */
const entities = modules.flatMap((exported) =>
  Object.entries(exported).flatMap(([name, schema]) => {
    if (!isItemSchema(schema)) return [];
    const computeKey = () => ({ pk: name, sk: name });
    const entity: Entity = new Entity({
      name,
      table,
      timestamps: false,
      schema,
      computeKey,
    } as never);
    return [[name, entity] as const];
  }),
);

const oddName = fc.constantFrom('__proto__', 'constructor', '', 'Lower Bowl');

/** Values that fit the schema. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const { enum: known } = schema.props as { enum?: readonly unknown[] };
  if (known) return fc.constantFrom(...known);
  switch (schema.type) {
    case 'string':
      return fc.string({ maxLength: 5 });
    case 'number':
      return fc.integer();
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'list':
      return fc.array(fitting(schema.elements), { maxLength: 3 });
    case 'set':
      return fc.array(fitting(schema.elements), { maxLength: 3 }).map((each) => new Set(each));
    case 'map':
      return fittingAttributes(schema.attributes);
    case 'record': {
      const { enum: keys } = schema.keys.props as { enum?: readonly string[] };
      const key = keys ? fc.constantFrom(...keys) : oddName;
      const rows = fc.array(fc.tuple(key, fitting(schema.elements)), { maxLength: 3 });
      return rows.map((pairs) => Object.fromEntries(pairs));
    }
    case 'anyOf':
      return fc.oneof(...schema.elements.map(fitting));
    default:
      return fc.jsonValue();
  }
}

function fittingAttributes(attributes: Record<string, Schema>): fc.Arbitrary<object> {
  const wanted = Object.entries(attributes).map(([name, schema]) => {
    const value = fitting(schema);
    return [name, schema.props.required === 'never' ? fc.option(value, { nil: undefined }) : value];
  });
  return fc.record(Object.fromEntries(wanted)).map((item) => {
    const present = Object.entries(item).filter(([, value]) => value !== undefined);
    return Object.fromEntries(present);
  });
}

/** An item with one field, at any depth, replaced, removed or added. */
function damagedSomewhere(item: object): fc.Arbitrary<object> {
  const odd = fc.constantFrom(
    undefined,
    null,
    7,
    'x',
    [],
    {},
    [null],
    new Set(['x']),
    new Uint8Array(1),
  );
  const names = fc.constantFrom(...Object.keys(item), 'unknown');
  return fc.tuple(names, odd, fc.boolean()).map(([name, value, isDeep]) => {
    const inner = (item as Record<string, unknown>)[name];
    const isMap = isDeep && typeof inner === 'object' && inner !== null && !(inner instanceof Set);
    const next = isMap && !Array.isArray(inner) ? { ...inner, unknown: 1, [name]: value } : value;
    return { ...item, [name]: next };
  });
}

function byLibrary(entity: Entity, raw: object): unknown {
  try {
    return new EntityFormatter(entity).format({ ...raw });
  } catch {
    return 'refused';
  }
}

it('has the stored schemas', () => {
  expect(entities.length).toBeGreaterThan(18);
});

it.each(entities)('%s: gives what the library gives, or leaves it to the library', (_, entity) => {
  const valid = fittingAttributes(entity.schema.attributes);
  const either = valid.chain((item) => fc.oneof(fc.constant(item), damagedSomewhere(item)));
  fc.assert(
    fc.property(either, (raw) => {
      const quick = quickFormat(entity, raw as RawItem);
      if (quick !== undefined) expect(quick).toEqual(byLibrary(entity, raw));
    }),
    { numRuns: 60 },
  );
});

it.each(['watchSchema', 'feedSchema', 'eventFactsSchema', 'channelSchema', 'pullSchema'])(
  '%s: formats a well-formed item itself',
  (name) => {
    const entity = entities.find(([known]) => known === name)?.[1];
    if (!entity) throw new Error(`there is no ${name}`);
    const [raw] = fc.sample(fittingAttributes(entity.schema.attributes), 1);
    expect(quickFormat(entity, raw as RawItem)).toBeDefined();
  },
);
