// Damages one field of one stored item directly in the table: removes it, or changes its type. Only items that
// belong to the odd owner, or to the event that only this owner watches; never a key, nor an index's sort value.
import { setTimeout as wait } from 'node:timers/promises';
import {
  type AttributeValue,
  type DynamoDBClient,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Dice } from './dice.ts';
import type { RaisedAlert } from './oracle/judge.ts';

const againMs = 100;
const mostTries = 100;

/** The things that only the odd owner has. */
export interface OddThings {
  ownerId: string;
  watchIds: readonly string[];
  eventId: number;
}

export interface Damage {
  entity: string;
  field: string;
  change: string;
  /** A damaged alert as it was: lists leave it out now, and it may have arrived before. */
  alert?: RaisedAlert | undefined;
}

export type Item = Record<string, AttributeValue>;

const ofOwner = new Set(['owner', 'channel', 'watch', 'trigger', 'alert', 'delivery']);
const ofEvent = new Set(['feed', 'evaluation', 'snapshot', 'seriesInUse', 'eventFacts', 'wish']);

/** Without these, the item becomes another item, or disappears from every list that would find it. */
const untouchable = new Set([
  ...['pk', 'sk', 'entity', 'ownerKey', 'ownerSort', 'dueShard', 'nextPollAt'],
  ...['triggerPartition', 'triggerLevel', 'unfinishedShard', 'nextAttemptAt'],
  // The item's owner: without it, the test can't tell which owner the damage affects.
  ...['ownerId', 'watchId', 'eventId', '_ct', '_md'],
]);

/** @returns what was damaged; undefined if there was nothing to damage. */
export async function damageOne(
  { client, tables, dice }: { client: DynamoDBClient; tables: readonly string[]; dice: Dice },
  odd: OddThings,
): Promise<Damage | undefined> {
  const found: { table: string; item: Item }[] = [];
  for (const table of tables) {
    const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
    for (const item of Items) if (isOdd(item, odd)) found.push({ table, item });
  }
  const byEntity = Map.groupBy(found, ({ item }) => entityOf(item));
  if (byEntity.size === 0) return undefined;
  const { table, item } = dice.pick(byEntity.get(dice.pick([...byEntity.keys()].sort())) ?? []);
  const fields = Object.keys(item).filter((name) => !untouchable.has(name));
  if (fields.length === 0) return undefined;
  const field = dice.pick(fields.sort());
  const wrong = dice.chance(0.4) ? undefined : ofOtherType(item[field]);
  await client.send(updateOf(table, item, { field, wrong }));
  const change = wrong ? JSON.stringify(wrong) : 'removed';
  return { entity: entityOf(item), field, change, alert: alertIn(item) };
}

/** Retries while DynamoDB is down. @throws Error when that takes too long */
export async function untilTaken<Done>(write: () => Promise<Done>): Promise<Done> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries === mostTries) throw error;
      await wait(againMs);
    }
  }
}

/** Whether the item belongs to the odd owner, or to the event that only this owner watches. */
export function isOdd(item: Item, { ownerId, watchIds, eventId }: OddThings): boolean {
  const entity = entityOf(item);
  if (ofEvent.has(entity)) return partsOfKey(item).includes(String(eventId));
  if (!ofOwner.has(entity)) return false;
  const watchId = item.watchId?.S ?? '';
  return item.ownerId?.S === ownerId || watchIds.includes(watchId);
}

/** @returns undefined for anything but an alert that was to be sent. */
export function alertIn(item: Item): RaisedAlert | undefined {
  const { pk, ruleId, observedAt, role, unsentReason } = item;
  if (entityOf(item) !== 'alert' || unsentReason !== undefined) return undefined;
  return {
    id: pk?.S?.replace('ALERT#', '') ?? '',
    ruleId: ruleId?.S ?? '',
    observedAt: Number(observedAt?.N),
    isRecovery: role?.S === 'recovery',
  };
}

/** A value of a type that the field never has. */
export function ofOtherType(value: AttributeValue | undefined): AttributeValue {
  if (value?.S !== undefined) return { N: '7' };
  return value?.N !== undefined ? { M: { odd: { S: 'odd' } } } : { S: 'odd' };
}

function updateOf(
  table: string,
  { pk, sk }: Item,
  { field, wrong }: { field: string; wrong: AttributeValue | undefined },
): UpdateItemCommand {
  return new UpdateItemCommand({
    TableName: table,
    Key: { ...(pk && { pk }), ...(sk && { sk }) },
    UpdateExpression: wrong ? 'SET #field = :wrong' : 'REMOVE #field',
    ExpressionAttributeNames: { '#field': field },
    ...(wrong && { ExpressionAttributeValues: { ':wrong': wrong } }),
  });
}

function entityOf({ entity }: Item): string {
  return entity?.S ?? '';
}

function partsOfKey({ pk, sk }: Item): string[] {
  return `${pk?.S}#${sk?.S}`.split('#');
}
