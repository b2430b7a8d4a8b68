// Repairs a feed whose snapshots have future timestamps, stored by an earlier release: its newest snapshot
// is in the future, so all later data would look old.

import type { EvaluationStore } from '#shared/dynamo/evaluations.ts';
import type { SnapshotStore } from '#shared/dynamo/snapshots.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { unknownRhythm } from '#shared/polling/rhythm.ts';
import { futureToleranceMs } from '#shared/polling/service-clock.ts';

interface HealFeedDeps {
  snapshots: Pick<SnapshotStore, 'removeAfter' | 'newest'>;
  evaluations: Pick<EvaluationStore, 'noteLate' | 'markBehind'>;
}

export type HealFeed = (feed: Feed, now: number) => Promise<Feed>;

/**
 * @returns the feed without those snapshots, which are removed; the evaluation goes back
 * to the newest one that is left. A repeat changes nothing. A healthy feed costs nothing.
 */
export function createHealFeed({ snapshots, evaluations }: HealFeedDeps): HealFeed {
  return async function healFeed(feed, now) {
    const latest = now + futureToleranceMs;
    const newestKnown = Math.max(feed.lastSnapshotAt ?? 0, feed.rhythm.lastRefreshAt ?? 0);
    if (newestKnown <= latest) return feed;
    await snapshots.removeAfter(feed, latest);
    const newest = await snapshots.newest(feed);
    await evaluations.noteLate(feed, (newest?.observedAt ?? 0) + 1);
    await evaluations.markBehind(feed, now);
    const rhythm = newest ? { gapsMs: [], lastRefreshAt: newest.observedAt } : unknownRhythm;
    return { ...feed, lastSnapshotAt: newest?.observedAt, rhythm };
  };
}
