// The condition of a feed, as input for a watch's troubles.

import type { Evaluation } from '#shared/alerts/evaluation.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { type FeedKind, feedKindRows } from '#shared/polling/feed-kinds.ts';
import { judgeFeed } from '#shared/polling/health.ts';
import { timing } from '#shared/timing.ts';
import { faultsOn } from '#shared/watchlist/set-aside.ts';
import type { FeedCondition } from '#shared/watchlist/trouble.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

interface Known {
  feed: Feed | undefined;
  evaluation: Evaluation | undefined;
  watch: Pick<Watch, 'status' | 'unsettled'>;
  /** Epoch milliseconds. */
  now: number;
}

/** @returns undefined if the feed doesn't exist, and the watch doesn't need it yet. */
export function feedConditionOf(kind: FeedKind, known: Known): FeedCondition | undefined {
  const { feed, now } = known;
  const { noun: name, isPlural } = feedKindRows[kind];
  const about = { name, isPlural, setAside: faultsOn(feed) };
  // A watch is active only after its feeds exist, so its event is not polled.
  if (!feed) return isSettled(known) ? { ...about, state: 'idle' } : undefined;
  if (feed.status !== 'active') return { ...about, state: inactive(feed.status, known) };
  const health = judgeFeed(feed, now);
  const isStretched = feed.nextReason === 'stretched_by_budget';
  const late = { ...lateOf(feed, known), ...absenceOf(feed), isStretched };
  if (health.kind === 'failing') return { ...about, state: 'failing', ...health, ...late };
  if (health.kind === 'well') return { ...about, state: 'well', ...late };
  const quietHours = Math.round(health.quietMs / 3_600_000);
  return { ...about, state: 'stale', quietHours, ...late };
}

function isSettled({ watch: { status, unsettled } }: Known): boolean {
  return status === 'active' && unsettled === undefined;
}

/** A watch whose last change is not carried through yet gets its feed soon. */
function inactive(status: Exclude<Feed['status'], 'active'>, { watch }: Known) {
  return status === 'idle' && watch.unsettled !== undefined ? 'well' : status;
}

/** An event that is not known gets no second trouble for being empty. */
function absenceOf({ missing, lastPolledAt, lastSnapshotAt, setAside }: Feed) {
  const isPolled = lastPolledAt !== undefined && lastSnapshotAt === undefined;
  return {
    missingSince: missing?.since,
    isEmpty: isPolled && missing === undefined && setAside?.future_stamp === undefined,
  };
}

function lateOf(
  { nextPollAt, lastSnapshotAt }: Feed,
  { evaluation, now }: Known,
): Pick<FeedCondition, 'overdueSince' | 'behindSince'> {
  const isOverdue = nextPollAt !== undefined && now - nextPollAt > timing.polledWithinMs;
  const isBehind =
    lastSnapshotAt !== undefined &&
    (evaluation?.evaluatedThrough ?? 0) < lastSnapshotAt &&
    now - lastSnapshotAt > timing.evaluatedWithinMs;
  return {
    overdueSince: isOverdue ? nextPollAt : undefined,
    behindSince: isBehind ? lastSnapshotAt : undefined,
  };
}
