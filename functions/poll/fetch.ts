// What a fetch of a feed brings, whichever kind it is.

import type { PollRecord } from '#shared/dynamo/feeds.ts';
import { possiblePulls } from '#shared/polling/failure.ts';
import type { Feed, FeedFaultKind } from '#shared/polling/feed.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import type { MarketClock } from '#shared/polling/service-clock.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';

export interface Fetched {
  /** New snapshots in time order. */
  snapshots: Snapshot[];
  /** Refreshes of the market that the answer tells of, in time order, epoch milliseconds. */
  refreshes: number[];
  /** Whether those are all refreshes since the last one known. */
  isComplete: boolean;
  pulls: number;
  reason: string;
  /** Whether `pulls` is only the most that the answer can have cost. */
  isUncertain?: boolean;
  /** Snapshots before the newest stored one that are not stored yet, in time order. */
  late?: Snapshot[];
  /** What of the answer was left out, in words. */
  faults?: Partial<Record<FeedFaultKind, string>>;
  /** How far the service's clock was ahead of ours, as this answer says. */
  measuredMs?: number | undefined;
  /** What the feed has to remember of the answer. */
  memory?: Pick<PollRecord, 'clockOffsetMs' | 'overlapFrom' | 'paidThrough' | 'wrongStamps'>;
}

export interface FetchTerms {
  /** Time for the whole fetch, milliseconds. */
  budgetMs: number;
  /** The account's plan; undefined while it was not read. */
  plan: string | undefined;
  /** The service's clock as it was measured; undefined before the first answer. */
  clock?: MarketClock | undefined;
}

/** Fetches everything new of one feed, all pages. */
export type FetchFeed = (feed: Feed, terms: FetchTerms) => Promise<Fetched>;
export type FetchFeeds = Record<FeedKind, FetchFeed>;

/** Thrown when a fetch failed after it may have cost something; `cause` is what went wrong. */
export class FetchFailedError extends Error {
  override readonly name = 'FetchFailedError';
  /** The most that the whole fetch can have cost. */
  readonly pulls: number;

  constructor(pulls: number, cause: unknown) {
    super('a fetch failed on its way', { cause });
    this.pulls = pulls;
  }
}

/**
 * Runs a walk and, should it fail, tells what its pages had cost by then.
 * @throws FetchFailedError
 */
export async function countingCost<Answer>(
  walk: { readonly cost: { pulls: number } },
  fetch: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await fetch();
  } catch (error) {
    throw new FetchFailedError(walk.cost.pulls + possiblePulls(error), error);
  }
}
