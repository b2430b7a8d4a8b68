// The result of a fetch, for every kind of feed.

import type { PollRecord } from '#shared/dynamo/feed-polls.ts';
import { possiblePulls } from '#shared/polling/failure.ts';
import type { Feed, FeedFaultKind } from '#shared/polling/feed.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import type { MarketClock } from '#shared/polling/service-clock.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';

export interface Fetched {
  /** New snapshots in time order. */
  snapshots: Snapshot[];
  /** Market refreshes that the answer shows, in time order, epoch milliseconds. */
  refreshes: number[];
  /** Whether `refreshes` has all refreshes since the last known one. */
  isComplete: boolean;
  pulls: number;
  reason: string;
  /** Whether `pulls` is only an upper bound of the cost. */
  isUncertain?: boolean;
  /** Snapshots before the newest stored one that are not stored yet, in time order. */
  late?: Snapshot[];
  /** The parts of the answer that were left out, in words. */
  faults?: Partial<Record<FeedFaultKind, string>>;
  /** How far the service's clock is ahead of ours, by this answer. */
  measuredMs?: number | undefined;
  /** What the feed must store from the answer. */
  memory?: Pick<
    PollRecord,
    'clockOffsetMs' | 'clockBeforeMs' | 'overlapFrom' | 'paidThrough' | 'wrongStamps'
  >;
}

export interface FetchTerms {
  /** Time for the whole fetch, milliseconds. */
  budgetMs: number;
  /** The account's plan; undefined until it has been read. */
  plan: string | undefined;
  /** The measured offset of the service's clock; undefined before the first answer. */
  clock?: MarketClock | undefined;
}

/** Fetches everything new of one feed, all pages. */
export type FetchFeed = (feed: Feed, terms: FetchTerms) => Promise<Fetched>;
export type FetchFeeds = Record<FeedKind, FetchFeed>;

/** Thrown when a fetch failed after it may have cost something; `cause` is the failure. */
export class FetchFailedError extends Error {
  override readonly name = 'FetchFailedError';
  /** Upper bound of the cost of the whole fetch. */
  readonly pulls: number;

  constructor(pulls: number, cause: unknown) {
    super('a fetch failed on its way', { cause });
    this.pulls = pulls;
  }
}

/**
 * Runs a walk; if it fails, the error says what its pages had cost by then.
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
