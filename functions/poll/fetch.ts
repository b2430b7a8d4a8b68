// What a fetch of a feed brings, whichever kind it is.
import type { Feed, FeedKind } from '#shared/polling/feed.ts';
import type { Snapshot } from '#shared/rules/reading.ts';

export interface Fetched {
  /** New snapshots in time order. */
  snapshots: Snapshot[];
  /** Refreshes of the market that the answer tells of, in time order, epoch milliseconds. */
  refreshes: number[];
  /** Whether those are all refreshes since the last one known. */
  isComplete: boolean;
  pulls: number;
  reason: string;
}

export interface FetchTerms {
  /** Time for the whole fetch, milliseconds. */
  budgetMs: number;
  /** The account's plan; undefined while it was not read. */
  plan: string | undefined;
}

/** Fetches everything new of one feed, all pages. */
export type FetchFeed = (feed: Feed, terms: FetchTerms) => Promise<Fetched>;
export type FetchFeeds = Record<FeedKind, FetchFeed>;
