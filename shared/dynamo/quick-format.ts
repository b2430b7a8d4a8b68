// Formats a stored item by its entity's schema, many times faster than the library. It knows only what is
// well-formed: everything else is left to the library, which also says what is wrong.
import type { Entity } from 'dynamodb-toolbox/entity';
import type { Schema } from 'dynamodb-toolbox/schema';
import type { RawItem } from './attribute-readings.ts';

/** Stands for a value that does not fit its schema, or that only the library can read. */
const unfit = Symbol('unfit');

/** @returns the item as the library's formatter gives it; undefined if the library must look at it. */
export function quickFormat(entity: Entity, raw: RawItem): RawItem | undefined {
  const { entityAttributeSavedAs: label } = entity.table;
  const labelled = raw[label] === undefined ? { ...raw, [label]: entity.entityName } : raw;
  const item = formatAttributes(entity.schema.attributes, labelled);
  return item === unfit ? undefined : item;
}

function formatAttributes(
  attributes: Record<string, Schema>,
  raw: RawItem,
): RawItem | typeof unfit {
  const formatted: Record<string, unknown> = {};
  for (const name in attributes) {
    const schema = attributes[name];
    if (!schema) continue;
    const value = formatValue(schema, raw[schema.props.savedAs ?? name]);
    if (value === unfit) return unfit;
    if (value !== undefined && schema.props.hidden !== true) set(formatted, name, value);
  }
  return formatted;
}

function formatValue(schema: Schema, raw: unknown): unknown {
  if (raw === undefined) return isRequired(schema) ? unfit : undefined;
  switch (schema.type) {
    case 'any':
      if (hasTransform(schema)) return unfit;
      return typeof raw === 'object' ? structuredClone(raw) : raw;
    case 'string':
    case 'number':
    case 'boolean':
      return typeof raw === schema.type ? formatPrimitive(schema, raw) : unfit;
    case 'null':
      return raw === null ? formatPrimitive(schema, raw) : unfit;
    case 'list':
      return Array.isArray(raw) ? formatEach(schema.elements, raw) : unfit;
    case 'map':
      return isObject(raw) ? formatAttributes(schema.attributes, raw) : unfit;
    case 'record':
      return isObject(raw) ? formatRecord(schema, raw) : unfit;
    default:
      return unfit;
  }
}

function formatPrimitive(schema: Schema, raw: unknown): unknown {
  if (hasTransform(schema)) return unfit;
  const { enum: known } = schema.props as { enum?: readonly unknown[] };
  return known === undefined || known.includes(raw) ? raw : unfit;
}

function formatEach(elements: Schema, raw: readonly unknown[]): unknown {
  const formatted = raw.map((value) => formatValue(elements, value));
  return formatted.includes(unfit) ? unfit : formatted;
}

function formatRecord(
  { keys, elements }: Extract<Schema, { type: 'record' }>,
  raw: RawItem,
): RawItem | typeof unfit {
  // A record of fixed keys asks for the missing ones too.
  if (keys.props.enum !== undefined) return unfit;
  const formatted: Record<string, unknown> = {};
  for (const [key, element] of Object.entries(raw)) {
    if (formatPrimitive(keys, key) === unfit) return unfit;
    const value = formatValue(elements, element);
    if (value === unfit) return unfit;
    if (value !== undefined) set(formatted, key, value);
  }
  return formatted;
}

/** Also for the name `__proto__`, which a zone may have. */
function set(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, {
      ...{ value, enumerable: true, configurable: true, writable: true },
    });
  } else target[name] = value;
}

function isRequired({ props }: Schema): boolean {
  return props.required !== 'never';
}

function hasTransform({ props }: Schema): boolean {
  return 'transform' in props && props.transform !== undefined;
}

/** As the library has it. */
function isObject(value: unknown): value is RawItem {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !(value instanceof Set) && !ArrayBuffer.isView(value);
}
