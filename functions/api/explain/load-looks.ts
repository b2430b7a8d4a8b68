// Loads what a replay of a watch's rules needs of one feed: the snapshots with their polls, the values before
// them, the snapshots of other feeds beside them.

import { newestThrough } from '#shared/backtest/newest-through.ts';
import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { LookedAt } from '#shared/dynamo/snapshot-reads.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { type FeedKind, feedKinds } from '#shared/polling/feed-kinds.ts';
import type { LoadedHistory } from '#shared/rules/history.ts';
import { feedKindOf, type SeriesKey } from '#shared/rules/series.ts';
import type { NewestSnapshots } from '#shared/rules/snapshot-readings.ts';

export interface LooksDeps {
  stores: Pick<Stores, 'snapshots'>;
  loadHistory: LoadHistory;
}

export interface WantedLooks {
  eventId: number;
  kind: FeedKind;
  from: number;
  through: number;
  most: number;
}

export interface LoadedLooks {
  looks: LookedAt[];
  /** There are more in the range than one answer looks at. */
  isCut: boolean;
}

/** The looks of a range, and the last one before it. */
export async function loadLooks(
  { snapshots }: LooksDeps['stores'],
  { eventId, kind, from, through, most }: WantedLooks,
): Promise<LoadedLooks> {
  const feed = { eventId, kind };
  // A range can end before the watch was made. DynamoDB refuses a range whose end is before its beginning.
  if (through < from) return { looks: [], isCut: false };
  const [inRange, [before]] = await Promise.all([
    snapshots.looks(feed, { from, through }, most),
    from > 0 ? snapshots.looks(feed, { from: 0, through: from - 1 }, 1) : [],
  ]);
  const isCut = inRange.length === most;
  return { looks: before && !isCut ? [before, ...inRange] : inRange, isCut };
}

/** The values before the first of these looks, and the snapshots of the other feeds that the series need. */
export async function loadBeside(
  { stores, loadHistory }: LooksDeps,
  looks: readonly LookedAt[],
  {
    eventId,
    kind,
    series,
    now,
  }: { eventId: number; kind: FeedKind; series: SeriesKey[]; now: number },
): Promise<{ history: LoadedHistory; otherFeeds: (at: number) => NewestSnapshots }> {
  const first = looks[0]?.snapshot.observedAt ?? now;
  const newest = looks.at(-1)?.snapshot.observedAt ?? first;
  const feed = { eventId, kind };
  const asked = new Set(series.map(feedKindOf));
  const [{ history }, ...others] = await Promise.all([
    loadHistory({ feed, series, through: first - 1, newest, now, isRewound: true }),
    ...feedKinds
      .filter((other) => other !== kind && asked.has(other))
      .map(async (other) => {
        const wanted = { eventId, kind: other, from: first, through: newest, most: looks.length };
        const loaded = await loadLooks(stores, wanted);
        return [other, loaded.looks.map(({ snapshot }) => snapshot)] as const;
      }),
  ]);
  const otherFeeds = (at: number) =>
    Object.fromEntries(others.map(([other, own]) => [other, newestThrough(own, at) ?? null]));
  return { history, otherFeeds };
}
