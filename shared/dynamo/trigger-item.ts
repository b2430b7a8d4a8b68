// A trigger as it lies in the Watchlist table: as the rules made it, and beside it the attributes that place
// it in the trigger index and what is recorded of a fault. Decides what counts as readable.
import { createHash } from 'node:crypto';
import { Entity, type FormattedItem } from 'dynamodb-toolbox/entity';
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import { parseSeries } from '#shared/rules/series.ts';
import { type Trigger, triggerStates } from '#shared/rules/trigger.ts';
import { isSetAside, type SetAside } from '#shared/watchlist/set-aside.ts';
import { absent, fromKey, type ItemReading, orElse, type RawItem } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** A trigger as read. `stamp` changes with each write; a write is conditional on the one that it read. */
export interface StoredTrigger {
  trigger: Trigger;
  stamp: string;
  setAside?: SetAside | undefined;
}

/** What can still be told of a trigger that can't be read. */
export interface UnreadableTrigger {
  triggerId: string;
  /** Absent where that is what can't be read. */
  watchId?: string | undefined;
  setAside?: SetAside | undefined;
}

/** Stands in for a damaged trigger, so that the item it lies in can be named. */
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
      /** Beside the trigger, so that a trigger that can't be read still names its watch. */
      watchId: string().optional(),
      setAside: any().castAs<SetAside>().optional(),
    }),
    computeKey: ({ triggerId }) => ({ pk: `TRIGGER#${triggerId}`, sk: 'TRIGGER' }),
  });
}

export type TriggerEntity = ReturnType<typeof createTriggerEntity>;
type TriggerItem = FormattedItem<TriggerEntity>;

/** The record of a fault may be lost; a trigger whose stamp or place is damaged is written anew first. */
export const triggerReading: ItemReading<TriggerItem> = {
  attributes: {
    triggerId: fromKey('TRIGGER#'),
    trigger: { isReadable: isTrigger, otherwise: damagedTrigger },
    setAside: { isReadable: isSetAside, ...absent },
    stamp: orElse(''),
    generation: orElse(0),
    triggerPartition: orElse(''),
    triggerLevel: orElse(0),
    watchId: absent,
  },
  finish: (found, damaged) =>
    damaged.some((name) => name !== 'setAside' && name !== 'watchId') &&
    !('isDamaged' in found.trigger)
      ? { ...found, trigger: damagedTrigger({ ...found }) }
      : found,
};

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

/** Whether a trigger could be read whole. */
export function isReadable(found: TriggerItem): found is TriggerItem & StoredTrigger {
  return !('isDamaged' in found.trigger);
}

/** What can still be told of one that could not. */
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
  role: ['main', 'further', 'no_data'],
  afterFiring: ['wait_for_rearm', 'stay_armed', 'follow'],
  whenAlreadyTrue: ['fire', 'wait'],
};

/** Whether matching can place a trigger and look at it; what is deeper inside it finds out itself. */
function isTrigger(value: unknown, { pk, generation }: RawItem): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const read = (name: string): unknown => Reflect.get(value, name);
  // A generation that goes back would reuse an alert's id, and so lose the next alert.
  if (`TRIGGER#${read('triggerId')}` !== pk || read('generation') !== generation) return false;
  parseSeries(String(read('series')));
  return (
    texts.every((name) => typeof read(name) === 'string') &&
    numbers.every((name) => Number.isFinite(read(name))) &&
    objects.every((name) => typeof read(name) === 'object' && read(name) !== null) &&
    Object.entries(words).every(([name, known]) => known.some((word) => word === read(name)))
  );
}

/** Sorts behind every level, so that new and pending triggers are read before those set aside. */
const behindAll = 9_000_000_000_000_000;

/**
 * What stands beside a trigger: its watch, and its place in the index. Fired ones are found by their rearm level, others by their level.
 * One that was set aside is out of its range, where it would take the place of others at each reading.
 */
export function placeOf(trigger: Trigger, isSetAside = false) {
  const { watchId, eventId, series, direction, state, level, rearmLevel, generation } = trigger;
  if (isSetAside || state === 'new' || state === 'pending') {
    const triggerLevel = isSetAside ? behindAll : level;
    return { watchId, generation, triggerPartition: unsettledPartition(eventId), triggerLevel };
  }
  return {
    watchId,
    generation,
    triggerPartition: settledPartition({ eventId, series, direction, state }),
    triggerLevel: state === 'fired' ? rearmLevel : level,
  };
}

/** What stands beside a stored trigger whose inner part can be read; undefined where it can't be. */
export function placeOfStored(raw: RawItem, newStamp: () => string) {
  if (!isWholeTrigger(raw)) return undefined;
  const { watchId, ...place } = placeOf(raw.trigger, isSetAside(raw.setAside));
  return { ...place, watchId, stamp: typeof raw.stamp === 'string' ? raw.stamp : newStamp() };
}

/** Whether the inner part of a stored trigger can be read, whatever became of its place. */
export function isWholeTrigger(raw: RawItem): raw is RawItem & { trigger: Trigger } {
  try {
    return isTrigger(raw.trigger, raw);
  } catch {
    return false;
  }
}

/** The place of a trigger that was set aside and can't be read. */
export function placeOfUnreadable(eventId: number) {
  return { triggerPartition: unsettledPartition(eventId), triggerLevel: behindAll };
}

export function settledPartition(
  place: Pick<Trigger, 'eventId' | 'series' | 'direction'> & { state: 'armed' | 'fired' },
): string {
  return `EVENT#${place.eventId}#${keyText(place.series)}#${place.direction}#${place.state}`;
}

/** New and pending triggers are few and read together, whatever their series; so are those set aside. */
export function unsettledPartition(eventId: number): string {
  return `EVENT#${eventId}#unsettled`;
}

/** DynamoDB takes 1,024 bytes for a sort key; what stands beside the text takes up to 60. */
const longestKeyText = 960;

/** A text as a part of a key: itself, or where that is too long its beginning and a hash of it. */
export function keyText(text: string): string {
  if (Buffer.byteLength(text) <= longestKeyText) return text;
  return `${text.slice(0, 200)}~${createHash('sha256').update(text).digest('hex')}`;
}
