// Where series come from: the list of sources, one for each kind of feed, and what all other code asks
// them. Each function here finds the source that a series or a snapshot belongs to.
import { type FeedKind, feedKindRows, feedKinds } from '#shared/polling/feed-kinds.ts';
import type { ListingMatch, ListingsSnapshot } from '../listings-snapshot.ts';
import type { Unit } from '../metric.ts';
import type { MarketSnapshot } from '../snapshot.ts';
import { type ListingSeries, listings } from './listings.ts';
import type { ParsedBase, SnapshotSource } from './snapshot-source.ts';
import { type StatsSeries, stats } from './stats.ts';

export type Snapshot = MarketSnapshot | ListingsSnapshot;

/** A number as a snapshot has it, without history. */
export type BaseSeries = StatsSeries | ListingSeries;

type Source = SnapshotSource<Snapshot, BaseSeries>;

const sources: Record<FeedKind, Source> = { stats, listings };

/** By the series' own kind. */
const sourceOfSeries: Record<BaseSeries['kind'], Source> = {
  metric: stats,
  presence: stats,
  listings,
};

/** The kind of feed that a key's prefix names; undefined for no known prefix. */
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

/** The unit of the number that the series counts in. */
export function unitOf(base: BaseSeries): Unit {
  return sourceOfSeries[base.kind].unitOf(base);
}

/** What the number is called in messages. */
export function wordsOf(base: BaseSeries): string {
  return sourceOfSeries[base.kind].wordsOf(base);
}

/** The series with the number as it is now, for one that says what is new. */
export function currentOf(base: BaseSeries): BaseSeries {
  return sourceOfSeries[base.kind].currentOf(base);
}

/** The listing filter that a series looks through; undefined for one without a filter. */
export function filterOf(base: BaseSeries): string | undefined {
  return 'filter' in base ? base.filter : undefined;
}

/** Every base series that a snapshot has, except those that say only what is new. */
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
