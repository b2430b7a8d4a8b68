// What each kind of feed declares so that rules can watch it: the series of its snapshots, their names, and
// their values. One source for each kind; sources.ts lists them.
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import type { ListingMatch } from '../listings-snapshot.ts';
import type { Unit } from '../metric.ts';

/** The fields of every snapshot. */
export interface AnySnapshot {
  feedKind: FeedKind;
  eventId: number;
  /** When the market had these values, epoch milliseconds. */
  observedAt: number;
}

export interface ParsedBase<Base> {
  /** Undefined if the parts name no series of the source. */
  series: Base | undefined;
  /** How many parts of the key were read. */
  length: number;
}

/**
 * Its functions are methods, so that TypeScript accepts all sources in one table: `sources.ts` passes each
 * source only its own snapshots and series.
 */
export interface SnapshotSource<Seen extends AnySnapshot, Base> {
  readonly feedKind: FeedKind;
  /** The series' canonical name. */
  keyOf(base: Base): string;
  /** Reads a key that was split at its slashes; the first part is the kind's prefix. */
  parse(parts: readonly string[]): ParsedBase<Base>;
  /** The unit of the series' number. */
  unitOf(base: Base): Unit;
  /** The name of the number in messages. */
  wordsOf(base: Base): string;
  /** Every series of a snapshot, except those that report only news. */
  valuesOf(snapshot: Seen): [Base, number | null][];
  /** Cents, counts or basis points; null for "no value". */
  valueOf(base: Base, snapshot: Seen): number | null;
  /** The series of the current value, such as `cheapest` for `new_cheapest`; else the same series. */
  currentOf(base: Base): Base;
  /** The listings that an alert on the series names, cheapest first. */
  listingsOf(base: Base, snapshot: Seen): readonly ListingMatch[];
  /** Whether anything is for sale. */
  isLive(snapshot: Seen): boolean;
}
