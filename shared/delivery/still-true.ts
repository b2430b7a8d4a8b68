// Decides whether an alert that was held back is still true and still wanted.

import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import { feedKindOf } from '#shared/rules/series.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import { isStillReached } from '#shared/rules/still-reached.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { Alert } from '../alerts/alert.ts';

interface StillTrueDeps {
  findWatch: (watchId: string) => Promise<Watch | undefined>;
  /** The newest snapshot of a feed of the event. */
  findNewest: (eventId: number, kind: FeedKind) => Promise<Snapshot | undefined>;
}

/** @returns why the alert is not sent any more; undefined if it is. */
export type WhyNoNews = (
  alert: Alert,
  now: number,
) => Promise<'superseded' | 'snoozed' | undefined>;

/**
 * An alert is news while its watch is active and the newest snapshot is at its level or beyond; an alert
 * about a change, while the change from its baseline is still that large; a recovery, until its level is
 * reached again. If a lookup finds nothing, send
 * the alert: a late alert is better than a lost one.
 */
export function createWhyNoNews({ findWatch, findNewest }: StillTrueDeps): WhyNoNews {
  return async function whyNoNews(alert, now) {
    const watch = await findWatch(alert.watchId);
    if (watch?.status !== 'active') return 'superseded';
    if ((watch.snoozedUntil ?? 0) > now) return 'snoozed';
    const newest = await findNewest(alert.eventId, feedKindOf(alert.series));
    if (!newest || newest.observedAt <= alert.observedAt) return undefined;
    const baseline = alert.baseline ?? alert.previousBase;
    const isReached = isStillReached({ ...alert, baseline }, newest);
    return isReached === (alert.role === 'recovery') ? 'superseded' : undefined;
  };
}
