// How a feed is stored in the Watchlist table, and its place in the due index.
import { Entity } from 'dynamodb-toolbox/entity';
import { string } from 'dynamodb-toolbox/schema';
import type { Feed } from '#shared/polling/feed.ts';
import { isPriceRecord } from '#shared/polling/price-record.ts';
import { areRecentPrices } from '#shared/polling/recent-prices.ts';
import { unknownRhythm } from '#shared/polling/rhythm.ts';
import { isFeedValue } from '#shared/polling/value/feed-value.ts';
import {
  absent,
  eventFromKey,
  isStoredTime,
  namedByKey,
  optionalTime,
  orElse,
  type RawItem,
} from './attribute-readings.ts';
import { feedSchema } from './schemas/feed-schema.ts';
import { shardKey, shardOf } from './shard.ts';
import { leniently } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Identifies a feed. */
export type FeedKey = Pick<Feed, 'eventId' | 'kind'>;

/** The entity that the store's parts share. */
export function createFeedEntity(table: WatchlistTable) {
  return new Entity({
    name: 'feed',
    table,
    timestamps: false,
    schema: feedSchema.and({ dueShard: string().optional() }),
    computeKey: ({ eventId, kind }) => ({ pk: `EVENT#${eventId}`, sk: `FEED#${kind}` }),
  });
}

/** How a feed's item is parsed: damaged attributes get the values of a new feed. */
export function feedReading(feeds: FeedEntity) {
  return leniently(feeds, {
    eventId: eventFromKey,
    kind: namedByKey(({ sk }) => String(sk).split('#')[1]),
    status: orElse('active'),
    latencySeconds: orElse(60, isLatency),
    wishVersion: orElse(0),
    watchersChangedAt: orElse(0, isStoredTime),
    failures: orElse(0, isFailureCount),
    rhythm: orElse(unknownRhythm, isRhythm),
    sharedMicropulls: orElse(0),
    recent: { ...absent, isReadable: areRecentPrices },
    record: { ...absent, isReadable: isPriceRecord },
    value: { ...absent, isReadable: isFeedValue },
    call: { isReadable: isCall, otherwise: remainsOfCall },
    clockOffsetMs: { ...absent, isReadable: isOffset },
    clockBeforeMs: { ...absent, isReadable: isOffset },
    ...{ lastPolledAt: optionalTime, lastSnapshotAt: optionalTime, lastPaidAt: optionalTime },
    ...{ eventStartsAt: optionalTime, overlapFrom: optionalTime, paidThrough: optionalTime },
    ...{ lastLiveAt: optionalTime, unwellSince: optionalTime },
  });
}

/** A clock with a larger offset is damaged. */
const longestOffsetMs = 48 * 3_600_000;

function isOffset(value: unknown): boolean {
  return Math.abs(Number(value)) <= longestOffsetMs;
}

function isLatency(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= 7 * 86_400;
}

/** The upper bound of a plausible count: a feed that fails every minute of a year fails half a million times. */
function isFailureCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1_000_000;
}

function isRhythm(value: unknown): boolean {
  const { gapsMs, lastRefreshAt } = Object(value) as { gapsMs?: unknown; lastRefreshAt?: unknown };
  return (
    Array.isArray(gapsMs) &&
    gapsMs.every((gap) => typeof gap === 'number' && gap >= 0 && isStoredTime(gap)) &&
    (lastRefreshAt === undefined || isStoredTime(lastRefreshAt))
  );
}

function isCall(value: unknown): boolean {
  const { claim, at } = Object(value) as { claim?: unknown; at?: unknown };
  return typeof claim === 'string' && isStoredTime(at);
}

/** A call with a damaged time was sent long ago; a call without a claim name can't be settled. */
function remainsOfCall({ call }: RawItem) {
  const { claim } = Object(call) as { claim?: unknown };
  return typeof claim === 'string' ? { claim, at: 0 } : undefined;
}

export type FeedEntity = ReturnType<typeof createFeedEntity>;

/** Only the key attributes of a feed. */
export function feedKeyOf({ eventId, kind }: FeedKey): FeedKey {
  return { eventId, kind };
}

/** The partition of the due index. */
export function dueShardOf({ eventId, kind }: FeedKey): string {
  return shardKey(kind, shardOf(String(eventId)));
}
