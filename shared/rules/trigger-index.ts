/**
 * The index that matching reads: by series, direction and state, sorted by level. Declares the
 * queries; memory-index.ts answers them from memory, the store from DynamoDB.
 */
import type { SeriesKey } from './series.ts';
import type { Direction, Trigger } from './trigger.ts';

export interface IndexRange {
  series: SeriesKey;
  direction: Direction;
  value: number;
}

type Found = readonly Trigger[] | Promise<readonly Trigger[]>;

/**
 * The triggers of one event. An answer may lag behind the newest moves: matching remembers its own,
 * and a trigger that a stale answer misses is still reached at the next snapshot.
 */
export interface TriggerIndex {
  /** Armed triggers whose level the value reaches (`isReached`). */
  armedReachedBy(range: IndexRange): Found;
  /** Fired triggers whose rearm level the value has passed (`hasPassedRearm`). */
  firedPassedBy(range: IndexRange): Found;
  /** New and pending triggers of any series: few, and read at every snapshot. */
  unsettled(): Found;
  /** One trigger as it is now, for rules of two triggers. */
  find(triggerId: string): Trigger | null | Promise<Trigger | null>;
}
