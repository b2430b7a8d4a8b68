/**
 * Whether a firing that a limit stops now was stopped at an earlier snapshot already. One crossing of the level
 * is one silence, however many snapshots it lasts. Decides no firing.
 */
import type { SnapshotReadings } from './snapshot-readings.ts';
import { isReached, type Trigger } from './trigger.ts';
import { isTooSmall, limitReached, type SnapshotFacts } from './trigger-limits.ts';

/** Whether the previous number alone tells this, because nothing but the level decides. */
export function isPlainLevel(trigger: Trigger, hasTransform: boolean): boolean {
  const { condition, gates, leastChange } = trigger;
  const isFree = condition === null && gates.confirmations === 1 && gates.withinMsOfEvent === null;
  return isFree && leastChange === null && !hasTransform;
}

/** A snapshot before the one at which a limit stops the trigger. */
export interface Earlier extends Pick<SnapshotFacts, 'observedAt' | 'eventStartsAt'> {
  readings: SnapshotReadings;
}

/**
 * Whether the limit stopped the trigger at the earlier snapshot too; undefined if that snapshot has no value,
 * so that one further back decides.
 */
export function wasStoppedAt(
  trigger: Trigger,
  { readings, observedAt, eventStartsAt = null }: Earlier,
): boolean | undefined {
  const { value, ...reading } = readings.of(trigger.series);
  if (value === null) return undefined;
  const facts: SnapshotFacts = {
    ...{ ...reading, observedAt, eventStartsAt },
    holds: (condition) => readings.holds(condition),
  };
  return (
    isAfterItsMove(trigger, observedAt) &&
    isReached(trigger, value) &&
    !isTooSmall(trigger, facts) &&
    limitReached(trigger, facts) === null
  );
}

/** An armed trigger may have been stopped when it was made; a pending one was not yet confirmed when it moved. */
function isAfterItsMove({ state, movedThrough }: Trigger, observedAt: number): boolean {
  const moved = movedThrough ?? Number.NEGATIVE_INFINITY;
  return state === 'pending' ? observedAt > moved : observedAt >= moved;
}
