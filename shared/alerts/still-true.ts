// Whether what an alert told of still holds: asked before an alert that was held back goes out.

import { emptyHistory } from '#shared/rules/history.ts';
import { readSeries, remeasure, type Snapshot } from '#shared/rules/reading.ts';
import { feedKindOf, parseSeries, type SeriesFeedKind } from '#shared/rules/series.ts';
import { isReached } from '#shared/rules/trigger.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { Alert } from './alert.ts';

interface StillTrueDeps {
  findWatch: (watchId: string) => Promise<Watch | undefined>;
  /** The newest snapshot of a feed of the event. */
  findNewest: (eventId: number, kind: SeriesFeedKind) => Promise<Snapshot | undefined>;
}

export type IsStillTrue = (alert: Alert) => Promise<boolean>;

/**
 * An alert still holds while its watch does and the newest snapshot is at its level or beyond it; a
 * change, while it still is that large from where it was measured. What cannot be looked up counts as
 * true: better told late than lost.
 */
export function createIsStillTrue({ findWatch, findNewest }: StillTrueDeps): IsStillTrue {
  return async function isStillTrue(alert) {
    const watch = await findWatch(alert.watchId);
    if (watch?.status !== 'active') return false;
    const newest = await findNewest(alert.eventId, feedKindOf(alert.series));
    if (!newest || newest.observedAt <= alert.observedAt) return true;
    return holdsAt(alert, newest);
  };
}

function holdsAt(alert: Alert, newest: Snapshot): boolean {
  const { transform } = parseSeries(alert.series);
  const reading = readSeries(alert.series, newest, emptyHistory);
  // A listing that was new is so only once; what counts later is that one like it still stands.
  if (!transform) return reading.standing !== null && isReached(alert, reading.standing);
  if (reading.base === null) return false;
  const from = alert.baseline ?? alert.previousBase;
  const change = from === null ? null : remeasure(transform, reading.base, from);
  return change === null || isReached(alert, change);
}
