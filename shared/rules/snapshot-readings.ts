// The values of series at one snapshot, each read once, and conditions on them. For a condition on a series
// of another feed, the newest snapshot of that feed is read.
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import type { History } from './history.ts';
import { type Reading, readSeries } from './reading.ts';
import { feedKindOf, type SeriesKey } from './series.ts';
import type { Snapshot } from './sources/sources.ts';
import { isReached, type TriggerCondition } from './trigger.ts';

/** The newest snapshot of each feed; null for a feed that was never polled. */
export type NewestSnapshots = { readonly [Kind in FeedKind]?: Snapshot | null };

interface ReadingsInput {
  snapshot: Snapshot;
  /** The event's values, including this snapshot's (`remember`). */
  history: History;
  /** The newest snapshots of the other feeds, for conditions on their series. */
  otherFeeds?: NewestSnapshots;
}

/** The series of one snapshot, each read once. */
export class SnapshotReadings {
  readonly #input: ReadingsInput;
  readonly #read = new Map<SeriesKey, Reading>();

  constructor(input: ReadingsInput) {
    this.#input = input;
  }

  of(series: SeriesKey): Reading {
    const known = this.#read.get(series);
    if (known) return known;
    const { snapshot, otherFeeds, history } = this.#input;
    const kind = feedKindOf(series);
    const other = kind === snapshot.feedKind ? undefined : otherFeeds?.[kind];
    const reading = readSeries(series, other ?? snapshot, history);
    this.#read.set(series, reading);
    return reading;
  }

  holds(condition: TriggerCondition): boolean {
    if ('all' in condition) return condition.all.every((part) => this.holds(part));
    if ('any' in condition) return condition.any.some((part) => this.holds(part));
    const { value } = this.of(condition.series);
    return value !== null && isReached(condition, value);
  }
}
