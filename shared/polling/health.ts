// Decides whether a feed is healthy. Don't call this while the marketplace is paused or its breaker is open:
// a fault of the whole market is not a fault of a single feed.
import type { Feed } from './feed.ts';
import { paceOf } from './rhythm.ts';

/** Failures in a row after which the owners get a notice. */
export const failuresToTell = 5;
/** After this many usual gaps without a refresh the owners get a notice. */
const quietGaps = 6;
/** A market may be quiet this long without a fault. */
const leastQuietMs = 6 * 3_600_000;
/** Of a feed with a single refresh no usual gap is known. */
const quietWithoutPaceMs = 24 * 3_600_000;

export type FeedHealth =
  | { kind: 'well' }
  | { kind: 'failing'; failures: number }
  | { kind: 'stale'; quietMs: number };

/** Judges an active feed; `now` is epoch milliseconds. */
export function judgeFeed(feed: Feed, now: number): FeedHealth {
  if (feed.failures >= failuresToTell) return { kind: 'failing', failures: feed.failures };
  const pace = paceOf(feed.rhythm);
  const lastRefreshAt = feed.rhythm.lastRefreshAt;
  if (lastRefreshAt === undefined) return { kind: 'well' };
  const allowedMs = pace ? Math.max(leastQuietMs, quietGaps * pace.usualMs) : quietWithoutPaceMs;
  // Count up to the last poll: without a poll we don't know that the market is quiet.
  const quietMs = (feed.lastPolledAt ?? now) - lastRefreshAt;
  return quietMs > allowedMs ? { kind: 'stale', quietMs } : { kind: 'well' };
}
