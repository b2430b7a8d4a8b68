/**
 * What one snapshot does to one trigger. Pure: answers with the trigger as it should become; the
 * caller writes it, on condition that the stored one has not moved meanwhile.
 */

import {
  type ClosedReason,
  closedGate,
  type EndReason,
  endOf,
  isTooSmall,
  type LimitReason,
  type SnapshotFacts,
  spentLimit,
} from './gates.ts';
import { advance, arm, type Firing, fire, freeze, pend, rearm, relevel } from './move.ts';
import { remeasure } from './reading.ts';
import { parseSeries } from './series.ts';
import { baselineOf, hasPassedRearm, isReached, type Trigger, wasAlreadyTrue } from './trigger.ts';

/** A snapshot may be stamped this far after the present (clocks differ by a moment). */
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

/** A firing that a limit of its rule keeps back, with the numbers that it would have told. */
export interface Silenced {
  reason: LimitReason;
  firing: Firing;
}

/**
 * Every kind but `hold` is a move and carries the trigger as it becomes; of a `retire` nothing is
 * left. A `fire` may bring a further trigger, which is to be stored with it. Whatever the kind,
 * `silenced` says that it would have been a `fire` but for a limit.
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
  | { kind: 'rearm'; reason: 'passed_rearm_level'; next: Trigger }
  | { kind: 'retire'; reason: EndReason }
  | { kind: 'hold'; reason: SilenceReason }
);

/**
 * Holds the series' value at a snapshot against a trigger. A snapshot that is not newer than the one
 * that last moved the trigger changes nothing, so duplicates and late arrivals are harmless. The
 * alert of a `fire` is named by the generation in `firing`, which is the trigger's before the move.
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
  // A snapshot of the future moved it once, before those were left out: it must not sleep until then.
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

/** The baseline of a trigger that keeps its own: the first value that it sees. */
function setBaseline(trigger: Trigger, base: number | null, facts: SnapshotFacts): Decision {
  if (base === null) return hold('no_baseline');
  if (facts.isSuspect) return hold('implausible');
  return { kind: 'arm', reason: 'baseline_set', next: relevel(arm(trigger, facts), base) };
}

/** What is true already is no news: news by itself has passed, a level waits to be crossed again. */
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
 * What bears out a pending trigger: where each time is news, the change from where it was first seen.
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
  return { kind: 'rearm', reason: 'passed_rearm_level', next: rearm(trigger, facts) };
}

/** A trigger that is reached: speaks, waits to be borne out, or keeps silent for a reason. */
function speak(trigger: Trigger, value: number, facts: SnapshotFacts): Decision {
  const closed = closedGate(trigger, facts);
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
 * A level that may not speak now stays where it is, and speaks when it may if it is still reached.
 * News that may not be told is over. A first look has been had either way.
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
