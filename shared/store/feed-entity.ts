// How a feed lies in the Watchlist table, and where it stands in the due index.
import { Entity } from 'dynamodb-toolbox/entity';
import { string } from 'dynamodb-toolbox/schema';
import { type Feed, feedSchema } from '#shared/polling/feed.ts';
import { unknownRhythm } from '#shared/polling/rhythm.ts';
import { shardKey, shardOf } from './shard.ts';
import { leniently, orElse } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** What names a feed. */
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

/** How a feed's item is read: with what a new feed has in place of what is damaged. */
export function feedReading(feeds: FeedEntity) {
  return leniently(feeds, {
    status: orElse('active'),
    latencySeconds: orElse(60),
    wishVersion: orElse(0),
    watchersChangedAt: orElse(0),
    failures: orElse(0),
    rhythm: orElse(unknownRhythm),
    sharedMicropulls: orElse(0),
  });
}

export type FeedEntity = ReturnType<typeof createFeedEntity>;

/** The key alone, of anything that names a feed. */
export function feedKeyOf({ eventId, kind }: FeedKey): FeedKey {
  return { eventId, kind };
}

/** The partition of the due index. */
export function dueShardOf({ eventId, kind }: FeedKey): string {
  return shardKey(kind, shardOf(String(eventId)));
}
