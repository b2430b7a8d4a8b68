// Whether a feed does what its watchers count on. A market-wide trouble is nobody's single feed: who
// asks must not ask while the marketplace is paused or its breaker is open.
import type { Feed } from './feed.ts';
import { paceOf } from './rhythm.ts';

/** Failures in a row after which watchers are told. */
export const failuresToTell = 5;
/** Usual refresh gaps without a refresh after which watchers are told. */
const quietGaps = 6;
/** A market may be quiet for hours without anything being wrong. */
const leastQuietMs = 6 * 3_600_000;

export type FeedHealth =
  | { kind: 'well' }
  | { kind: 'failing'; failures: number }
  | { kind: 'stale'; quietMs: number };

/** Judges an active feed; `now` is epoch milliseconds. */
export function judgeFeed(feed: Feed, now: number): FeedHealth {
  if (feed.failures >= failuresToTell) return { kind: 'failing', failures: feed.failures };
  const pace = paceOf(feed.rhythm);
  const lastRefreshAt = feed.rhythm.lastRefreshAt;
  if (!pace || lastRefreshAt === undefined) return { kind: 'well' };
  const allowedMs = Math.max(leastQuietMs, quietGaps * pace.usualMs);
  // Only a poll tells that the market is quiet; a feed that was not polled is another matter.
  const quietMs = (feed.lastPolledAt ?? now) - lastRefreshAt;
  return quietMs > allowedMs ? { kind: 'stale', quietMs } : { kind: 'well' };
}
