// A trigger as stored in the Watchlist table: the trigger itself, and beside it the attributes that place
// it in the trigger index and the record of a fault. Decides which stored triggers are readable.
import { createHash } from 'node:crypto';
import { Entity, type FormattedItem } from 'dynamodb-toolbox/entity';
import { any, boolean, item, number, string } from 'dynamodb-toolbox/schema';
import { parseSeries } from '#shared/rules/series.ts';
import { type Trigger, triggerRoles, triggerStates } from '#shared/rules/trigger.ts';
import { isShard } from '#shared/watchlist/event-shards.ts';
import { isSetAside, type SetAside } from '#shared/watchlist/set-aside.ts';
import { absent, fromKey, orElse, type RawItem } from './attribute-readings.ts';
import type { ItemReading } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** A trigger as read. `stamp` changes with each write; a write is conditional on the stamp that was read. */
export interface StoredTrigger {
  trigger: Trigger;
  stamp: string;
  setAside?: SetAside | undefined;
}

/** The known facts of an unreadable trigger. */
export interface UnreadableTrigger {
  triggerId: string;
  /** Absent if it is unreadable. */
  watchId?: string | undefined;
  setAside?: SetAside | undefined;
}

/** Replaces a damaged trigger, so that its item can still be identified. */
export interface DamagedTrigger extends UnreadableTrigger {
  isDamaged: true;
}

export function createTriggerEntity(table: WatchlistTable) {
  return new Entity({
    name: 'trigger',
    table,
    timestamps: false,
    schema: item({
      triggerId: string().key(),
      stamp: string(),
      generation: number(),
      trigger: any().castAs<Trigger | DamagedTrigger>(),
      triggerPartition: string(),
      triggerLevel: number(),
      /** Stored beside the trigger, so that an unreadable trigger still names its watch. */
      watchId: string().optional(),
      setAside: any().castAs<SetAside>().optional(),
      /** Whether its watch is deleted: it keeps its state, and matching does not read it. */
      isParked: boolean().optional(),
    }),
    computeKey: ({ triggerId }) => ({ pk: `TRIGGER#${triggerId}`, sk: 'TRIGGER' }),
  });
}

export type TriggerEntity = ReturnType<typeof createTriggerEntity>;
type TriggerItem = FormattedItem<TriggerEntity>;

/** The record of a fault may be lost; a trigger with a damaged stamp or place must be rewritten first. */
export const triggerReading: ItemReading<TriggerItem> = {
  attributes: {
    triggerId: fromKey('TRIGGER#'),
    trigger: { isReadable: isTrigger, otherwise: damagedTrigger },
    setAside: { isReadable: isSetAside, ...absent },
    stamp: orElse('', isStamp),
    generation: orElse(0),
    triggerPartition: orElse(''),
    triggerLevel: orElse(0),
    watchId: absent,
    isParked: absent,
  },
  finish: (found, damaged) =>
    damaged.some((name) => name !== 'setAside' && name !== 'watchId' && name !== 'isParked') &&
    !('isDamaged' in found.trigger)
      ? { ...found, trigger: damagedTrigger({ ...found }) }
      : found,
};

function isStamp(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function damagedTrigger({ triggerId, trigger, watchId: beside }: RawItem): DamagedTrigger {
  const inside: unknown =
    typeof trigger === 'object' && trigger !== null ? Reflect.get(trigger, 'watchId') : undefined;
  const watchId = typeof inside === 'string' ? inside : beside;
  return {
    triggerId: String(triggerId),
    isDamaged: true,
    ...(typeof watchId === 'string' && { watchId }),
  };
}

/** Whether the whole trigger is readable. */
export function isReadable(found: TriggerItem): found is TriggerItem & StoredTrigger {
  return !('isDamaged' in found.trigger);
}

/** The known facts of an unreadable trigger. */
export function damageOf({ triggerId, trigger, setAside }: TriggerItem): UnreadableTrigger {
  const { watchId } = trigger;
  return { triggerId, ...(setAside && { setAside }), ...(watchId !== undefined && { watchId }) };
}

const texts = ['triggerId', 'watchId', 'ruleId', 'ownerId'] as const;
const numbers = ['eventId', 'level', 'rearmLevel', 'generation', 'createdAt', 'feeBps'] as const;
const objects = ['gates', 'memory'] as const;
const words: Readonly<Record<string, readonly string[]>> = {
  direction: ['down', 'up'],
  state: triggerStates,
  role: triggerRoles,
  afterFiring: ['wait_for_rearm', 'stay_armed', 'follow'],
  whenAlreadyTrue: ['fire', 'wait'],
};

/** Whether matching can place and check the trigger; matching itself finds faults deeper inside. */
function isTrigger(value: unknown, { pk, generation }: RawItem): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const read = (name: string): unknown => Reflect.get(value, name);
  // A lower generation would reuse an alert's id and lose the next alert.
  if (`TRIGGER#${read('triggerId')}` !== pk || read('generation') !== generation) return false;
  const shard = read('shard');
  if (shard !== undefined && !isShard(shard)) return false;
  parseSeries(String(read('series')));
  return (
    texts.every((name) => typeof read(name) === 'string') &&
    numbers.every((name) => Number.isFinite(read(name))) &&
    objects.every((name) => typeof read(name) === 'object' && read(name) !== null) &&
    Object.entries(words).every(([name, known]) => known.some((word) => word === read(name)))
  );
}

/** Sorts after every level, so that new and pending triggers are read before those set aside. */
const behindAll = 9_000_000_000_000_000;

/**
 * The attributes beside a trigger: its watch, and its place in the index, by rearm level if fired, else by level.
 * A trigger that was set aside is outside the normal ranges, so that it takes no other's place in a read.
 */
export function placeOf(trigger: Trigger, { isSetAside = false, isParked = false } = {}) {
  const { watchId, eventId, series, direction, state, level, rearmLevel, generation } = trigger;
  const { shard } = trigger;
  if (isParked) {
    return { watchId, generation, triggerPartition: parkedPartition(eventId), triggerLevel: level };
  }
  if (isSetAside || state === 'new' || state === 'pending') {
    const triggerLevel = isSetAside ? behindAll : level;
    return {
      watchId,
      generation,
      triggerPartition: unsettledPartition(eventId, shard),
      triggerLevel,
    };
  }
  return {
    watchId,
    generation,
    triggerPartition: settledPartition({ eventId, series, direction, state, shard }),
    triggerLevel: state === 'fired' ? rearmLevel : level,
  };
}

/** The attributes beside a stored trigger with a readable inner part; undefined otherwise. */
export function placeOfStored(raw: RawItem, newStamp: () => string) {
  if (!isWholeTrigger(raw)) return undefined;
  const { watchId, ...place } = placeOf(raw.trigger, {
    isSetAside: isSetAside(raw.setAside),
    isParked: raw.isParked === true,
  });
  return { ...place, watchId, stamp: typeof raw.stamp === 'string' ? raw.stamp : newStamp() };
}

/** Whether the inner part of a stored trigger is readable, even if its place is damaged. */
export function isWholeTrigger(raw: RawItem): raw is RawItem & { trigger: Trigger } {
  try {
    return isTrigger(raw.trigger, raw);
  } catch {
    return false;
  }
}

/** The place of an unreadable trigger that was set aside. */
export function placeOfUnreadable(eventId: number, shard?: number) {
  return { triggerPartition: unsettledPartition(eventId, shard), triggerLevel: behindAll };
}

/** Where triggers with a level are; the first shard has the keys from before events had shards. */
export interface SettledPlace extends Pick<Trigger, 'eventId' | 'series' | 'direction'> {
  state: 'armed' | 'fired';
  shard?: number | undefined;
}

export function settledPartition(place: SettledPlace): string {
  const { eventId, series, direction, state, shard } = place;
  return `EVENT#${eventId}#${keyText(series)}#${direction}#${state}${shardText(shard)}`;
}

/** New and pending triggers are few, so they share one partition for all series; so do those set aside. */
export function unsettledPartition(eventId: number, shard?: number): string {
  return `EVENT#${eventId}#unsettled${shardText(shard)}`;
}

function shardText(shard = 0): string {
  return shard === 0 ? '' : `#${shard}`;
}

/** The triggers of deleted watches, which matching does not read. */
function parkedPartition(eventId: number): string {
  return `EVENT#${eventId}#parked`;
}

/** DynamoDB allows 1,024 bytes for a sort key; the other parts of the key take up to 60. */
const longestKeyText = 960;

/** A text as a part of a key: unchanged, or if that is too long its beginning and a hash. */
export function keyText(text: string): string {
  if (Buffer.byteLength(text) <= longestKeyText) return text;
  return `${text.slice(0, 200)}~${createHash('sha256').update(text).digest('hex')}`;
}
