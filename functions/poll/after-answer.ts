// What a feed stores after an answer: its rhythm, the faults of its data, and whether the evaluation must be
// nudged. Pure.
import {
  type Feed,
  type FeedFaultKind,
  type FeedFaults,
  feedFaultKinds,
} from '#shared/polling/feed.ts';
import { learnLateRefresh, learnRefreshes, type Rhythm } from '#shared/polling/rhythm.ts';
import { isLive, type Snapshot } from '#shared/rules/sources/sources.ts';
import { setAside } from '#shared/watchlist/set-aside.ts';
import type { Fetched } from './fetch.ts';

/** The feed's rhythm with the refreshes of this answer. */
export function rhythmAfter(
  feed: Feed,
  { refreshes, isComplete }: Fetched,
  { lateAt, polledAt }: { lateAt: readonly number[]; polledAt: number },
): Rhythm {
  const rhythm = lateAt.reduce(learnLateRefresh, feed.rhythm);
  return learnRefreshes(rhythm, refreshes, { polledAt, complete: isComplete });
}

/** The faults of this answer; older faults stay until a snapshot is stored without them. */
export function faultsAfter(
  before: FeedFaults | undefined,
  met: Partial<Record<FeedFaultKind, string>>,
  { hasNews: isRenewed, now }: { hasNews: boolean; now: number },
): FeedFaults {
  const after: FeedFaults = {};
  for (const kind of feedFaultKinds) {
    const reason = met[kind];
    // A feed's faults show again in every answer that has them, so no release and no wait is needed.
    if (reason !== undefined) after[kind] = setAside(before?.[kind], { reason, release: '', now });
    else if (before?.[kind] && !isRenewed && kind !== 'storing') after[kind] = before[kind];
  }
  return after;
}

/** The time of the newest snapshot that had anything for sale. */
export function lastLiveAt(snapshots: readonly Snapshot[]): number | undefined {
  return snapshots.findLast(isLive)?.observedAt;
}

/** True if the evaluation has not been nudged for something: new snapshots, or watchers who need a first look. */
export function hasNews(feed: Feed, { snapshots }: Fetched): boolean {
  const isAsked = feed.watchersChangedAt > (feed.lastPolledAt ?? 0);
  return snapshots.length > 0 || isAsked || feed.owesNudge === true;
}
