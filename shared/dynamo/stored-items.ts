// Reads stored items one by one, so that a damaged item affects no other: in a list it is left out, and
// a damaged attribute with a safe default gets that default. Each fault is reported. Writes nothing.
import {
  GetCommand,
  type GetCommandInput,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Entity, FormattedItem } from 'dynamodb-toolbox/entity';
import { EntityFormatter } from 'dynamodb-toolbox/entity/actions/format';
import { DynamoDBToolboxError } from 'dynamodb-toolbox/errors';
import { reportFault } from '#shared/fault-report.ts';
import { type AttributeReading, absent, type RawItem } from './attribute-readings.ts';
import { quickFormat } from './quick-format.ts';

/** How an entity's items are parsed, beyond its schema. */
export interface ItemReading<Item> {
  attributes?: Readonly<Record<string, AttributeReading>>;
  /** Completes an item in which some attributes were replaced by defaults. */
  finish?: (item: Item, damaged: readonly string[]) => Item;
}

/**
 * Thrown for a stored item that can't be parsed now or on a retry; only this item fails.
 * It is reported before it is thrown.
 */
export class UnreadableItemError extends Error {
  override readonly name = 'UnreadableItemError';
  /** The item in its stored form. */
  readonly raw: RawItem;

  constructor(message: string, raw: RawItem) {
    super(message);
    this.raw = raw;
  }
}

/**
 * Parses an item without its damaged optional attributes. Not for an item in which an
 * absent attribute permits more than a present one, such as a key's revocation.
 */
export function leniently<E extends Entity>(
  entity: E,
  attributes: Readonly<Record<string, AttributeReading>> = {},
): ItemReading<FormattedItem<E>> {
  const optional = Object.entries(entity.schema.attributes)
    .filter(([, { props }]) => props.required === 'never')
    .map(([name]) => [name, absent] as const);
  return { attributes: { ...Object.fromEntries(optional), ...attributes } };
}

/** For reads of optional things: an unreadable item counts as missing. */
export async function orMissing<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UnreadableItemError) return undefined;
    throw error;
  }
}

interface GetAction<E extends Entity> {
  entity: E;
  params(): GetCommandInput;
}

/** Reads one item. @throws UnreadableItemError */
export async function readOne<E extends Entity>(
  action: GetAction<E>,
  reading: ItemReading<FormattedItem<E>> = {},
): Promise<FormattedItem<E> | undefined> {
  const client = action.entity.table.getDocumentClient();
  const { Item: raw } = await client.send(new GetCommand(action.params()));
  return raw && readItem(action.entity, raw, reading);
}

interface QueryAction {
  table: Entity['table'];
  params(): QueryCommandInput;
}

export interface ItemPage<E extends Entity> {
  items: FormattedItem<E>[];
  /** The stored items that were left out. */
  unreadable: RawItem[];
  /** Where the next page begins; absent at the end. */
  lastKey?: RawItem;
}

/** Reads one page of a query over items of one entity; unreadable items are reported and left out. */
export async function readPage<E extends Entity>(
  action: QueryAction,
  entity: E,
  reading: ItemReading<FormattedItem<E>> = {},
  startKey?: RawItem,
): Promise<ItemPage<E>> {
  const { Items: found = [], LastEvaluatedKey: lastKey } = await action.table
    .getDocumentClient()
    .send(
      new QueryCommand({ ...action.params(), ...(startKey && { ExclusiveStartKey: startKey }) }),
    );
  const items: FormattedItem<E>[] = [];
  const unreadable: RawItem[] = [];
  for (const raw of found) {
    const item = readOrLeaveOut(entity, raw, reading);
    if (item === undefined) unreadable.push(raw);
    else items.push(item);
  }
  return { items, unreadable, ...(lastKey && { lastKey }) };
}

/** Reads every page of a query. */
export async function readAll<E extends Entity>(
  action: QueryAction,
  entity: E,
  reading: ItemReading<FormattedItem<E>> = {},
): Promise<FormattedItem<E>[]> {
  const items: FormattedItem<E>[] = [];
  let startKey: RawItem | undefined;
  do {
    const page = await readPage(action, entity, reading, startKey);
    items.push(...page.items);
    startKey = page.lastKey;
  } while (startKey);
  return items;
}

interface UpdateAction<E extends Entity> {
  entity: E;
  params(): UpdateCommandInput & { ToolboxItem?: unknown };
}

/** Runs an update that returns the updated item. @throws UnreadableItemError */
export async function updateAndRead<E extends Entity>(
  action: UpdateAction<E>,
  reading: ItemReading<FormattedItem<E>> = {},
): Promise<FormattedItem<E> | undefined> {
  const { ToolboxItem: _unused, ...input } = action.params();
  const client = action.entity.table.getDocumentClient();
  const { Attributes: raw } = await client.send(new UpdateCommand(input));
  return raw && readItem(action.entity, raw, reading);
}

function readOrLeaveOut<E extends Entity>(
  entity: E,
  raw: RawItem,
  reading: ItemReading<FormattedItem<E>>,
): FormattedItem<E> | undefined {
  try {
    return readItem(entity, raw, reading);
  } catch (error) {
    if (error instanceof UnreadableItemError) return undefined;
    throw error;
  }
}

/** Parses a raw item. @throws UnreadableItemError */
export function readItem<E extends Entity>(
  entity: E,
  raw: RawItem,
  { attributes = {}, finish }: ItemReading<FormattedItem<E>>,
): FormattedItem<E> {
  const damaged = Object.entries(attributes)
    .filter(([name, attribute]) => isDamaged(attribute, raw[name], raw))
    .map(([name]) => name);
  let current = damaged.reduce((item, name) => withStandIn(entity, item, name, attributes), raw);
  for (;;) {
    try {
      const item = (quickFormat(entity, current) ??
        new EntityFormatter(entity).format({ ...current })) as FormattedItem<E>;
      if (damaged.length === 0) return item;
      report(entity, raw, damaged);
      return finish ? finish(item, damaged) : item;
    } catch (error) {
      const name = refusedAttribute(error);
      // If an attribute's default is refused too, the item is unreadable.
      if (damaged.includes(name)) throw unreadable(entity, raw, name);
      damaged.push(name);
      current = withStandIn(entity, current, name, attributes);
    }
  }
}

/** Whether an attribute can't be what it says, or is absent though the others need it. The schema checks the rest. */
export function isDamaged(
  { isReadable, isExpected }: AttributeReading,
  value: unknown,
  raw: RawItem,
): boolean {
  if (value === undefined) return isExpected?.(raw) ?? false;
  try {
    return isReadable?.(value, raw) === false;
  } catch {
    return true;
  }
}

/** The top-level attribute that the formatter refused. */
export function refusedAttribute(error: unknown): string {
  if (!DynamoDBToolboxError.match(error, 'formatter.')) throw error;
  return /^[^.[]*/.exec(error.path ?? '')?.[0] ?? '';
}

function withStandIn(
  entity: Entity,
  raw: RawItem,
  name: string,
  attributes: Readonly<Record<string, AttributeReading>>,
): RawItem {
  const { [name]: _damaged, ...rest } = raw;
  // The library's own entity attribute is not needed: the query already says which entity it is.
  if (name === entity.table.entityAttributeSavedAs) return rest;
  const otherwise = Object.hasOwn(attributes, name) ? attributes[name]?.otherwise : undefined;
  if (!otherwise) throw unreadable(entity, raw, name);
  const value = otherwise(raw);
  return value === undefined ? rest : { ...rest, [name]: value };
}

function unreadable(entity: Entity, raw: RawItem, name: string): UnreadableItemError {
  report(entity, raw, [name]);
  return new UnreadableItemError(
    `the stored ${entity.entityName} ${hiddenPlace(raw.pk)} can't be read: its ${name} is damaged`,
    raw,
  );
}

/** The partition key without the mail address that some keys contain. */
export function hiddenPlace(pk: unknown): string {
  return String(pk).replace(/^ADDRESS#.*$/s, 'ADDRESS#(hidden)');
}

function report(entity: Entity, { pk, sk }: RawItem, damaged: readonly string[]): void {
  reportFault({
    thing: 'stored_item',
    reason: `The stored ${entity.entityName} can't be read: ${damaged.join(', ')}`,
    ids: { pk: hiddenPlace(pk), sk: String(sk) },
  });
}
