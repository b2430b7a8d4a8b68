/**
 * What one snapshot does to one trigger. Pure: answers with the trigger as it should become; the
 * caller writes it, on condition that the stored one has not moved meanwhile.
 */
import { hasPassedRearm, isReached, type Trigger } from './trigger.ts';

export type HoldReason =
  | 'no_value'
  | 'not_reached'
  | 'not_rearmed'
  | 'older_than_last_move'
  | 'older_than_trigger';

/** Every kind but `hold` is a move, and carries the trigger as it becomes. */
export type Decision =
  | { kind: 'fire'; reason: 'reached' | 'already_true'; alreadyTrue: boolean; next: Trigger }
  | { kind: 'arm'; reason: 'first_look'; next: Trigger }
  | { kind: 'silence'; reason: 'already_true'; next: Trigger }
  | { kind: 'rearm'; reason: 'passed_rearm_level'; next: Trigger }
  | { kind: 'hold'; reason: HoldReason };

/** The snapshot that the value is of. */
export interface SnapshotFacts {
  /** Epoch milliseconds. */
  observedAt: number;
}

/**
 * Holds the series' value at a snapshot against a trigger. A snapshot that is not newer than the one
 * that last moved the trigger changes nothing, so duplicates and late arrivals are harmless. The
 * alert of a `fire` is named by the generation of the trigger before the move.
 */
export function decideTrigger(
  trigger: Trigger,
  value: number | null,
  facts: SnapshotFacts,
): Decision {
  if (trigger.state === 'new') return decideFirstLook(trigger, value, facts);
  if (facts.observedAt <= (trigger.movedThrough ?? Number.NEGATIVE_INFINITY)) {
    return hold('older_than_last_move');
  }
  if (facts.observedAt < trigger.createdAt) return hold('older_than_trigger');
  if (value === null) return hold('no_value');
  return trigger.state === 'fired'
    ? decideFired(trigger, value, facts)
    : decideArmed(trigger, value, facts);
}

function decideFirstLook(
  trigger: Trigger,
  value: number | null,
  { observedAt }: SnapshotFacts,
): Decision {
  const isTrue = value !== null && isReached(trigger, value);
  if (!isTrue)
    return { kind: 'arm', reason: 'first_look', next: move(trigger, 'armed', observedAt) };
  const next = move(trigger, 'fired', observedAt);
  if (trigger.whenAlreadyTrue === 'wait') return { kind: 'silence', reason: 'already_true', next };
  return { kind: 'fire', reason: 'already_true', alreadyTrue: true, next };
}

function decideArmed(trigger: Trigger, value: number, { observedAt }: SnapshotFacts): Decision {
  if (!isReached(trigger, value)) return hold('not_reached');
  return {
    kind: 'fire',
    reason: 'reached',
    alreadyTrue: false,
    next: move(trigger, 'fired', observedAt),
  };
}

function decideFired(trigger: Trigger, value: number, { observedAt }: SnapshotFacts): Decision {
  if (!hasPassedRearm(trigger, value)) return hold('not_rearmed');
  const next = { ...move(trigger, 'armed', observedAt), generation: trigger.generation + 1 };
  return { kind: 'rearm', reason: 'passed_rearm_level', next };
}

function move(trigger: Trigger, state: Trigger['state'], observedAt: number): Trigger {
  return { ...trigger, state, movedThrough: observedAt };
}

function hold(reason: HoldReason): Decision {
  return { kind: 'hold', reason };
}
