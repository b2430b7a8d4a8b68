/**
 * The index for matching: by series, direction and state, sorted by level. Declares the queries;
 * memory-index.ts implements them in memory, the store in DynamoDB.
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
 * The triggers of one event. A result may be stale: matching remembers its own moves, and a trigger that a
 * stale result misses is still reached at the next snapshot.
 */
export interface TriggerIndex {
  /** Armed triggers whose level the value reaches (`isReached`). */
  armedReachedBy(range: IndexRange): Found;
  /** Fired triggers whose rearm level the value has passed (`hasPassedRearm`). */
  firedPassedBy(range: IndexRange): Found;
  /** New and pending triggers of any series. They are few, and every snapshot reads them. */
  unsettled(): Found;
  /** One trigger in its current state, for rules with two triggers. */
  find(triggerId: string): Trigger | null | Promise<Trigger | null>;
}
