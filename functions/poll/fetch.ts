// What a fetch of a feed brings, whichever kind it is.
import { possiblePulls } from '#shared/polling/failure.ts';
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
