// What a kind of feed must tell so that rules can watch it: the series that its snapshots have, how they
// are spelled, and their values. One source for each kind; sources.ts lists them.
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import type { ListingMatch } from '../listings-snapshot.ts';
import type { Unit } from '../metric.ts';

/** What every snapshot has. */
export interface AnySnapshot {
  feedKind: FeedKind;
  eventId: number;
  /** When the market was so, epoch milliseconds. */
  observedAt: number;
}

export interface ParsedBase<Base> {
  /** Undefined where the parts name no series of the source. */
  series: Base | undefined;
  /** How many of the key's parts it took. */
  length: number;
}

/**
 * Its functions are methods, so that the sources fit into one table: `sources.ts` gives each only its own
 * snapshots and series.
 */
export interface SnapshotSource<Seen extends AnySnapshot, Base> {
  readonly feedKind: FeedKind;
  /** The series' canonical name. */
  keyOf(base: Base): string;
  /** Reads a key that was split at its slashes; the first part is the kind's prefix. */
  parse(parts: readonly string[]): ParsedBase<Base>;
  /** The unit of the number that the series counts in. */
  unitOf(base: Base): Unit;
  /** What the number is called in messages. */
  wordsOf(base: Base): string;
  /** Every series that a snapshot has, except those that say only what is new. */
  valuesOf(snapshot: Seen): [Base, number | null][];
  /** Cents, counts or basis points; null for "no value". */
  valueOf(base: Base, snapshot: Seen): number | null;
  /** The series with the number as it is now; another one only for a series that says what is new. */
  currentOf(base: Base): Base;
  /** The listings that an alert on the series names, cheapest first. */
  listingsOf(base: Base, snapshot: Seen): readonly ListingMatch[];
  /** Whether anything is for sale. */
  isLive(snapshot: Seen): boolean;
}
