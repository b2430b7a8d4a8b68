// The list of sources, one for each kind of feed, and the functions that other code calls. Each function
// finds the source of a series or a snapshot.
import { type FeedKind, feedKindRows, feedKinds } from '#shared/polling/feed-kinds.ts';
import type { ListingMatch, ListingsSnapshot } from '../listings-snapshot.ts';
import type { Unit } from '../metric.ts';
import type { MarketSnapshot } from '../snapshot.ts';
import { type ListingSeries, listings } from './listings.ts';
import type { ParsedBase, SnapshotSource } from './snapshot-source.ts';
import { type StatsSeries, stats } from './stats.ts';

export type Snapshot = MarketSnapshot | ListingsSnapshot;

/** A number of one snapshot, without history. */
export type BaseSeries = StatsSeries | ListingSeries;

type Source = SnapshotSource<Snapshot, BaseSeries>;

const sources: Record<FeedKind, Source> = { stats, listings };

/** The source of each kind of series. */
const sourceOfSeries: Record<BaseSeries['kind'], Source> = {
  metric: stats,
  presence: stats,
  listings,
};

/** The kind of feed from a key's prefix; undefined for an unknown prefix. */
export function kindNamedBy(key: string): FeedKind | undefined {
  return feedKinds.find((kind) => key.startsWith(feedKindRows[kind].seriesPrefix));
}

/** Reads the first parts of a key that was split at its slashes. */
export function parseBase(key: string, parts: readonly string[]): ParsedBase<BaseSeries> {
  const kind = kindNamedBy(key);
  return kind === undefined ? { series: undefined, length: 0 } : sources[kind].parse(parts);
}

/** The series' canonical name. */
export function baseKeyOf(base: BaseSeries): string {
  return sourceOfSeries[base.kind].keyOf(base);
}

/** The unit of the series' number. */
export function unitOf(base: BaseSeries): Unit {
  return sourceOfSeries[base.kind].unitOf(base);
}

/** The name of the number in messages. */
export function wordsOf(base: BaseSeries): string {
  return sourceOfSeries[base.kind].wordsOf(base);
}

/** The series of the current value, such as `cheapest` for `new_cheapest`; else the same series. */
export function currentOf(base: BaseSeries): BaseSeries {
  return sourceOfSeries[base.kind].currentOf(base);
}

/** The listing filter of a series; undefined if it has none. */
export function filterOf(base: BaseSeries): string | undefined {
  return 'filter' in base ? base.filter : undefined;
}

/** Every base series of a snapshot, except those that report only news. */
export function baseValues(snapshot: Snapshot): [BaseSeries, number | null][] {
  return sources[snapshot.feedKind].valuesOf(snapshot);
}

/** The series' value at a snapshot; null for "no value", and at a snapshot of another feed. */
export function baseValue(base: BaseSeries, snapshot: Snapshot): number | null {
  const source = sourceOfSeries[base.kind];
  return source.feedKind === snapshot.feedKind ? source.valueOf(base, snapshot) : null;
}

/** The listings that an alert on the series names, cheapest first. */
export function listingsOf(base: BaseSeries, snapshot: Snapshot): readonly ListingMatch[] {
  const source = sourceOfSeries[base.kind];
  return source.feedKind === snapshot.feedKind ? source.listingsOf(base, snapshot) : [];
}

/** Whether anything is for sale. */
export function isLive(snapshot: Snapshot): boolean {
  return sources[snapshot.feedKind].isLive(snapshot);
}
