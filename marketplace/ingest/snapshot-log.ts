// The log of an event's stats snapshots: one row for each refresh. Computes none.
import type { StatsSnapshotJson } from '#shared/marketplace/contract.ts';
import type { Store } from '../store/store.ts';

/** Logs snapshots older than the event's newest one; `before` receives the event's first one. */
export function writeHistory(
  store: Store,
  eventId: number,
  before: (first: StatsSnapshotJson) => readonly StatsSnapshotJson[],
): void {
  const first = store.get<{ at: number; body: string }>(
    'SELECT at, body FROM snapshots WHERE event_id = ? ORDER BY at LIMIT 1',
    eventId,
  );
  const newest = store.get<{ at: number }>(
    'SELECT at FROM snapshots WHERE event_id = ? ORDER BY at DESC LIMIT 1',
    eventId,
  );
  if (!first || !newest) return;
  for (const snapshot of before(JSON.parse(first.body) as StatsSnapshotJson)) {
    const at = Date.parse(snapshot.timestamp);
    if (at < newest.at) putSnapshot(store, eventId, { at, snapshot });
  }
}

/** Logs a snapshot, once, with the names of its zones. */
export function putSnapshot(
  store: Store,
  eventId: number,
  { at, snapshot }: { at: number; snapshot: StatsSnapshotJson },
): void {
  store.run(
    'INSERT OR IGNORE INTO snapshots VALUES (?, ?, ?)',
    eventId,
    at,
    JSON.stringify(snapshot),
  );
  for (const { zone_name } of snapshot.zones) {
    store.run('INSERT OR IGNORE INTO event_zones VALUES (?, ?)', eventId, zone_name);
  }
}
