// Reads what is readable of a damaged item, for lists that show it with the names of its damaged fields.
// Nothing else uses it: a message or a decision needs the whole item.
import type { Entity, FormattedItem } from 'dynamodb-toolbox/entity';
import { EntityFormatter } from 'dynamodb-toolbox/entity/actions/format';
import type { RawItem } from './attribute-readings.ts';
import {
  type ItemReading,
  isDamaged,
  readOne,
  refusedAttribute,
  UnreadableItemError,
} from './stored-items.ts';

/** A damaged item. */
export interface PartlyRead<Item> {
  /** The attributes that can be read; those that the key also contains are always there. */
  readable: Partial<Item>;
  /** The names of the attributes that can't be read, or are missing. */
  damaged: string[];
}

/** Parses each attribute that can be parsed. */
export function readPartly<E extends Entity>(
  entity: E,
  raw: RawItem,
  { attributes = {} }: ItemReading<FormattedItem<E>>,
): PartlyRead<FormattedItem<E>> {
  const damaged = new Set<string>();
  const known: Record<string, unknown> = { ...raw };
  const drop = (name: string) => {
    damaged.add(name);
    delete known[name];
  };
  // The library's own attribute says which entity it is; the key does too.
  const { entityAttributeSavedAs } = entity.table;
  for (const [name, reading] of Object.entries(attributes)) {
    if (isDamaged(reading, raw[name], raw)) drop(name);
  }
  for (const [name, { props }] of Object.entries(entity.schema.attributes)) {
    if (name === entityAttributeSavedAs) delete known[name];
    else if (props.required !== 'never' && known[name] === undefined) drop(name);
  }
  const item = formatKnown(entity, known, drop);
  for (const name of damaged) {
    // A field that the key also contains is not lost.
    const fromKey = attributes[name]?.isReadable && attributes[name].otherwise?.(raw);
    if (typeof fromKey === 'string' || typeof fromKey === 'number') item[name] = fromKey;
  }
  return { readable: item as Partial<FormattedItem<E>>, damaged: [...damaged].sort() };
}

/** Reads one item, or what is readable of it. */
export async function readOneOrPart<E extends Entity>(
  action: Parameters<typeof readOne<E>>[0],
  reading: ItemReading<FormattedItem<E>>,
): Promise<{ item: FormattedItem<E> } | { unreadable: PartlyRead<FormattedItem<E>> } | undefined> {
  try {
    const item = await readOne(action, reading);
    return item && { item };
  } catch (error) {
    if (!(error instanceof UnreadableItemError)) throw error;
    return { unreadable: readPartly(action.entity, error.raw, reading) };
  }
}

function formatKnown(
  entity: Entity,
  known: Record<string, unknown>,
  drop: (name: string) => void,
): Record<string, unknown> {
  for (;;) {
    try {
      return { ...new EntityFormatter(entity).format({ ...known }, { partial: true }) };
    } catch (error) {
      const name = refusedAttribute(error);
      if (!Object.hasOwn(known, name)) throw error;
      drop(name);
    }
  }
}
