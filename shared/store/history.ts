// Loads what window transforms and the guard against mis-keyed prices look back on.
import { LoadedHistory } from '#shared/rules/history.ts';
import { historyNeeds, remember } from '#shared/rules/reading.ts';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { SnapshotStore } from './snapshots.ts';

/** Enough to know whether the newest price before the cursor is itself in doubt. */
const recentSnapshots = 3;

/**
 * A loader of an event's history up to and including a time (epoch ms): as far back as the series
 * ask, and never less than the last few snapshots.
 */
export function createLoadHistory(snapshots: Pick<SnapshotStore, 'between' | 'latest'>) {
  return async function loadHistory(
    eventId: number,
    series: readonly SeriesKey[],
    through: number,
  ): Promise<LoadedHistory> {
    const spanMs = Math.max(0, ...historyNeeds(series).map((need) => need.spanMs));
    const windowed = spanMs > 0 ? await snapshots.between(eventId, through - spanMs, through) : [];
    const recent = await snapshots.latest(eventId, through, recentSnapshots);
    const history = new LoadedHistory();
    for (const snapshot of windowed.length > recent.length ? windowed : recent) {
      remember(history, snapshot);
    }
    return history;
  };
}
