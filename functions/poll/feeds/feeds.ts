// The kinds of feeds for poll: one row each, with the marketplace call that fetches it.
import { walkListings } from '#shared/marketplace/listings.ts';
import { walkStats } from '#shared/marketplace/stats.ts';
import { type FeedKind, forEachFeedKind } from '#shared/polling/feed-kinds.ts';
import type { FetchFeeds } from '../fetch.ts';
import { listings } from './listings.ts';
import type { FetchParts, PollFeed } from './poll-feed.ts';
import { stats } from './stats.ts';

export const pollFeeds: Record<FeedKind, PollFeed> = { stats, listings };

/** By the client's own names, which are also the names of the kinds. */
export const feedCalls = {
  stats: walkStats,
  listings: walkListings,
} satisfies Record<FeedKind, unknown>;

/** @returns the fetch of each kind of feed from the marketplace. */
export function composeFetch(parts: FetchParts): FetchFeeds {
  return forEachFeedKind((kind) => pollFeeds[kind].createFetch(parts));
}
