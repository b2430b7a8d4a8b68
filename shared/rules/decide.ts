/**
 * Decides what one snapshot does to one trigger. Pure: returns the trigger's next state; the caller writes
 * it, on condition that the stored trigger has not changed.
 */

import { remeasure } from './reading.ts';
import { parseSeries } from './series.ts';
import {
  advance,
  arm,
  type Firing,
  fire,
  freeze,
  pend,
  rearm,
  recoveryOf,
  relevel,
} from './transitions.ts';
import { baselineOf, hasPassedRearm, isReached, type Trigger, wasAlreadyTrue } from './trigger.ts';
import {
  type ClosedReason,
  type EndReason,
  endOf,
  isTooSmall,
  type LimitReason,
  limitReached,
  type SnapshotFacts,
  spentLimit,
} from './trigger-limits.ts';

/** Timestamps up to this far after now don't count as future, because clocks differ slightly. */
const FUTURE_TOLERANCE_MS = 60_000;

export type SilenceReason =
  | 'no_value'
  | 'no_baseline'
  | 'not_reached'
  | 'not_rearmed'
  | 'implausible'
  | 'older_than_last_move'
  | 'older_than_trigger'
  | ClosedReason
  | LimitReason;

/** A firing that a limit of its rule stopped, with the numbers of its alert. */
export interface Silenced {
  reason: LimitReason;
  firing: Firing;
}

/**
 * Every kind except `hold` is a move and has the trigger's next state; `retire` deletes the trigger. A
 * `fire` may have a further trigger, which must be stored too. A `rearm` may have a recovery, which must be
 * told. `silenced` is present if a limit stopped a `fire`.
 */
export type Decision = { silenced?: Silenced } & (
  | {
      kind: 'fire';
      reason: 'reached' | 'already_true' | 'confirmed';
      alreadyTrue: boolean;
      next: Trigger;
      firing: Firing;
      further: Trigger | null;
    }
  | { kind: 'arm'; reason: 'first_look' | 'baseline_set'; next: Trigger }
  | { kind: 'silence'; reason: 'already_true'; next: Trigger }
  | { kind: 'pend'; reason: 'implausible' | 'unconfirmed'; next: Trigger }
  | { kind: 'disarm'; reason: 'not_confirmed'; next: Trigger }
  | { kind: 'rearm'; reason: 'passed_rearm_level'; next: Trigger; recovery: Firing | null }
  | { kind: 'retire'; reason: EndReason }
  | { kind: 'hold'; reason: SilenceReason }
);

/**
 * Compares the series' value at a snapshot with a trigger. A snapshot that is not newer than the trigger's
 * last move changes nothing, so duplicates and late snapshots are harmless. `firing.generation` names the
 * alert of a `fire`: it is the generation before the move.
 */
export function decideTrigger(
  trigger: Trigger,
  value: number | null,
  facts: SnapshotFacts,
): Decision {
  const tooOld = ageHold(trigger, facts);
  if (tooOld) return { kind: 'hold', reason: tooOld };
  const end = endOf(trigger, facts);
  if (end) return { kind: 'retire', reason: end };
  switch (trigger.state) {
    case 'new':
      return decideFirstLook(trigger, value, facts);
    case 'armed':
      return decideArmed(trigger, value, facts);
    case 'pending':
      return decidePending(trigger, value, facts);
    case 'fired':
      return decideFired(trigger, value, facts);
  }
}

function ageHold(trigger: Trigger, facts: SnapshotFacts): SilenceReason | null {
  const { observedAt, isNewest = true, now = Number.POSITIVE_INFINITY } = facts;
  const movedThrough = trigger.movedThrough ?? Number.NEGATIVE_INFINITY;
  // If an earlier release let a snapshot of the future move the trigger, it must not wait until that time.
  if (observedAt <= movedThrough && movedThrough <= now + FUTURE_TOLERANCE_MS) {
    return 'older_than_last_move';
  }
  const looksBack = trigger.state === 'new' && isNewest;
  return observedAt < trigger.createdAt && !looksBack ? 'older_than_trigger' : null;
}

function decideFirstLook(trigger: Trigger, value: number | null, facts: SnapshotFacts): Decision {
  if (trigger.relative !== null && trigger.memory.baseline === null) {
    return setBaseline(trigger, facts.base === undefined ? value : facts.base, facts);
  }
  const standing = facts.standing === undefined ? value : facts.standing;
  if (standing === null || !isTrue(trigger, standing, facts)) {
    return { kind: 'arm', reason: 'first_look', next: arm(trigger, facts) };
  }
  if (trigger.whenAlreadyTrue === 'wait') return passOver(trigger, facts);
  return speak(trigger, standing, facts);
}

/** Sets the baseline of a trigger that keeps its own: the first value that it is matched with. */
function setBaseline(trigger: Trigger, base: number | null, facts: SnapshotFacts): Decision {
  if (base === null) return hold('no_baseline');
  if (facts.isSuspect) return hold('implausible');
  return { kind: 'arm', reason: 'baseline_set', next: relevel(arm(trigger, facts), base) };
}

/** Already true when the rule was made. One-off events are skipped; a level waits for the next crossing. */
function passOver(trigger: Trigger, facts: SnapshotFacts): Decision {
  if (trigger.afterFiring === 'stay_armed') {
    return { kind: 'arm', reason: 'first_look', next: arm(trigger, facts) };
  }
  return { kind: 'silence', reason: 'already_true', next: advance(trigger, 'fired', facts) };
}

function isTrue(trigger: Trigger, value: number, facts: SnapshotFacts): boolean {
  return isReached(trigger, value) && !isTooSmall(trigger, facts);
}

function decideArmed(trigger: Trigger, value: number | null, facts: SnapshotFacts): Decision {
  if (value === null) return hold('no_value');
  return isTrue(trigger, value, facts) ? speak(trigger, value, facts) : hold('not_reached');
}

function decidePending(trigger: Trigger, value: number | null, facts: SnapshotFacts): Decision {
  const confirming = confirmingValue(trigger, value, facts);
  if (confirming === null) return hold('no_value');
  if (isTrue(trigger, confirming, facts)) return speak(trigger, confirming, facts);
  return { kind: 'disarm', reason: 'not_confirmed', next: arm(trigger, facts) };
}

/**
 * The value that confirms a pending trigger. For one-off events: the change from the baseline of the first
 * sighting.
 */
function confirmingValue(trigger: Trigger, value: number | null, facts: SnapshotFacts) {
  if (trigger.afterFiring !== 'stay_armed') return value;
  const { transform } = parseSeries(trigger.series);
  const baseline = baselineOf(trigger, null);
  if (transform === null || baseline === null) return facts.standing ?? value;
  const base = facts.base ?? null;
  return base === null ? null : remeasure(transform, base, baseline);
}

function decideFired(trigger: Trigger, value: number | null, facts: SnapshotFacts): Decision {
  if (value === null) return hold('no_value');
  if (facts.isSuspect) return hold('implausible');
  if (!hasPassedRearm(trigger, value)) return hold('not_rearmed');
  const recovery = recoveryOf(trigger, value, facts);
  return { kind: 'rearm', reason: 'passed_rearm_level', next: rearm(trigger, facts), recovery };
}

/** A reached trigger: fires, waits for confirmation, or stays silent for a reason. */
function speak(trigger: Trigger, value: number, facts: SnapshotFacts): Decision {
  const closed = limitReached(trigger, facts);
  if (closed) return keepSilent(trigger, closed, facts);
  if (facts.isSuspect)
    return { kind: 'pend', reason: 'implausible', next: pend(trigger, 1, facts) };
  const count = (trigger.memory.pending?.count ?? 0) + 1;
  if (count < trigger.gates.confirmations) {
    return { kind: 'pend', reason: 'unconfirmed', next: pend(trigger, count, facts) };
  }
  const spent = spentLimit(trigger, facts);
  if (spent) {
    const silenced = { reason: spent, firing: freeze(trigger, value, facts) };
    return { ...keepSilent(trigger, spent, facts), silenced };
  }
  const alreadyTrue = wasAlreadyTrue(trigger);
  const reason = count > 1 ? 'confirmed' : alreadyTrue ? 'already_true' : 'reached';
  return { kind: 'fire', reason, alreadyTrue, ...fire(trigger, value, facts) };
}

/**
 * A level that may not fire now stays armed, and fires later if it is still reached. A one-off event that
 * may not fire is dropped. A new trigger becomes armed in both cases.
 */
function keepSilent(
  trigger: Trigger,
  reason: ClosedReason | LimitReason,
  facts: SnapshotFacts,
): Decision {
  if (trigger.state === 'new')
    return { kind: 'arm', reason: 'first_look', next: arm(trigger, facts) };
  if (trigger.state === 'pending' && trigger.afterFiring === 'stay_armed') {
    return { kind: 'disarm', reason: 'not_confirmed', next: arm(trigger, facts) };
  }
  return hold(reason);
}

function hold(reason: SilenceReason): Decision {
  return { kind: 'hold', reason };
}
