// Computes each item's place in the Watchlist table's indexes from the item's own
// values. An item that lost such an attribute is missing from an index, so a walk of the table restores it.
import { randomUUID } from 'node:crypto';
import { deliveryStatuses } from '#shared/delivery/delivery.ts';
import { isStoredTime, type RawItem } from './attribute-readings.ts';
import { shardKey, shardOf } from './shard.ts';
import { placeOfStored } from './trigger-item.ts';
import { placeInList } from './watch-changes.ts';

/** The attributes that an item should have; undefined for one that it should not have. */
export type IndexPlace = Readonly<Record<string, string | number | undefined>>;

interface PlacedEntity {
  /** @returns undefined if the item doesn't have the values for its place. */
  place: (raw: RawItem, now: number) => IndexPlace | undefined;
  /** Attributes that show a concurrent change: a place is written only if they are unchanged. */
  guards: readonly string[];
}

/** By the sort key, which a damaged item still has. */
const placed: Readonly<Record<string, PlacedEntity>> = {
  OWNER: {
    guards: [],
    place: (raw) => ({ ownerKey: 'owners', ownerSort: idOf(raw) }),
  },
  APIKEY: {
    guards: ['ownerId', 'keyId'],
    place: ({ ownerId, keyId }) =>
      isText(ownerId) && isText(keyId) ? ownedBy(ownerId, 'apiKey', keyId) : undefined,
  },
  CHANNEL: {
    guards: ['ownerId'],
    place: (raw) => (isText(raw.ownerId) ? ownedBy(raw.ownerId, 'channel', idOf(raw)) : undefined),
  },
  ALERT: {
    guards: ['ownerId', 'firedAt'],
    place: (raw) => datedPlace(raw, 'alert', raw.firedAt),
  },
  WATCH: {
    guards: ['ownerId', 'version', 'removedAt', 'unsettled'],
    place: (raw, now) => {
      const { ownerId, removedAt } = raw;
      if (!isText(ownerId)) return undefined;
      // A removed watch is unfinished until it is deleted.
      const isUnfinished = raw.unsettled !== undefined || removedAt !== undefined;
      if (removedAt !== undefined && !isText(removedAt)) {
        return unfinished('watch', raw, { isUnfinished, now });
      }
      const inList = placeInList({ ownerId, watchId: idOf(raw) }, removedAt);
      return { ...inList, ...unfinished('watch', raw, { isUnfinished, now }) };
    },
  },
  DELIVERY: {
    guards: ['ownerId', 'status', 'claims', 'createdAt'],
    place: (raw, now) => {
      const inList = datedPlace(raw, 'delivery', raw.createdAt);
      const isUnfinished = raw.status === 'pending' || raw.status === 'sending';
      const isKnown = deliveryStatuses.some((status) => status === raw.status);
      // A damaged status doesn't show whether the delivery is unfinished.
      if (!isKnown) return inList;
      return { ...inList, ...unfinished('unfinished', raw, { isUnfinished, now }) };
    },
  },
  JOB: {
    guards: ['ownerId', 'state'],
    place: (raw, now) => {
      if (!isText(raw.ownerId) || !isText(raw.state)) return undefined;
      const isUnfinished = raw.state === 'queued' || raw.state === 'running';
      const inList = ownedBy(raw.ownerId, 'job', idOf(raw));
      return { ...inList, ...unfinished('job', raw, { isUnfinished, now }) };
    },
  },
  NOTICE: {
    guards: ['sentAt', 'ownerId', 'createdAt'],
    place: (raw, now) => ({
      ...datedPlace(raw, 'notice', raw.createdAt),
      ...unfinished('notice', raw, { isUnfinished: raw.sentAt === undefined, now }),
    }),
  },
  FEED: {
    guards: ['status', 'wishVersion', 'claim'],
    place: ({ pk, sk, status, nextPollAt }, now) => {
      if (status === 'idle') return { dueShard: undefined };
      const [eventId = '', kind = ''] = [String(pk).split('#')[1], String(sk).split('#')[1]];
      return {
        dueShard: shardKey(kind, shardOf(eventId)),
        nextPollAt: isStoredTime(nextPollAt) ? nextPollAt : now,
      };
    },
  },
  TRIGGER: {
    guards: ['stamp', 'generation'],
    place: (raw) => placeOfStored(raw, randomUUID),
  },
};

/** The index attributes that the item lacks; undefined if none is missing, or the place is unknown. */
export function displacementOf(raw: RawItem, now: number): Displacement | undefined {
  const kind = String(raw.sk).replace(/^FEED#.*$/, 'FEED');
  const entity = Object.hasOwn(placed, kind) ? placed[kind] : undefined;
  const wanted = entity?.place(raw, now);
  if (!entity || !wanted) return undefined;
  const changes = Object.entries(wanted).filter(([name, value]) => raw[name] !== value);
  if (changes.length === 0) return undefined;
  const seen = [...new Set([...entity.guards, ...Object.keys(wanted)])].map(
    (name) => [name, raw[name]] as const,
  );
  return {
    kind: kind.toLowerCase(),
    changes: Object.fromEntries(changes),
    seen: Object.fromEntries(seen),
  };
}

export interface Displacement {
  /** Such as "feed". */
  kind: string;
  changes: IndexPlace;
  /** The values that the place was computed from. */
  seen: RawItem;
}

function ownedBy(ownerId: string, kind: string, sort: string): IndexPlace {
  return { ownerKey: `${ownerId}#${kind}`, ownerSort: sort };
}

/** The place of a thing that its owner's list sorts by time (epoch milliseconds). */
function datedPlace(raw: RawItem, kind: string, at: unknown): IndexPlace | undefined {
  if (!isText(raw.ownerId) || !isStoredTime(at)) return undefined;
  return ownedBy(raw.ownerId, kind, `${new Date(at).toISOString()}#${idOf(raw)}`);
}

/** Unfinished work is due at its time, or now if the time is lost. */
function unfinished(
  name: string,
  raw: RawItem,
  { isUnfinished, now }: { isUnfinished: boolean; now: number },
): IndexPlace {
  if (!isUnfinished) return { unfinishedShard: undefined };
  return {
    unfinishedShard: shardKey(name, shardOf(idOf(raw))),
    nextAttemptAt: isStoredTime(raw.nextAttemptAt) ? raw.nextAttemptAt : now,
  };
}

/** The text after the first # of an item's partition key. */
function idOf({ pk }: RawItem): string {
  return String(pk).slice(String(pk).indexOf('#') + 1);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
