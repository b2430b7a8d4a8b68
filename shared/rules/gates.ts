/**
 * When a trigger that is reached may speak: is it over, do its conditions hold, has it spoken too
 * often. Measures in the market's time, so that evaluating a series twice gives the same alerts.
 */
import type { ListingMatch } from './listings-snapshot.ts';
import {
  type AnnouncedListing,
  baselineOf,
  type Trigger,
  type TriggerCondition,
} from './trigger.ts';
import { DAY_MS } from './window.ts';

/** What a decision is told about the snapshot, the event and the trigger's surroundings. */
export interface SnapshotFacts {
  /** The present, epoch milliseconds. @default no time is of the future */
  now?: number | undefined;
  /** When the market was so, epoch milliseconds. */
  observedAt: number;
  /** Whether no newer snapshot is known; a new trigger is held against that one alone. @default true */
  isNewest?: boolean;
  /** The price is a jump that waits for the next snapshot. @default false */
  isSuspect?: boolean;
  /** The number under a window transform. @default the value */
  base?: number | null;
  /** What the change was measured from. */
  baseline?: number | null;
  /** The value as it stands, for a first look. @default the value */
  standing?: number | null;
  /** Epoch milliseconds, null while unknown. */
  eventStartsAt?: number | null;
  /** The other trigger of a rule that repeats, as stored now (trigger.ts, partnerIdOf). */
  partner?: Trigger | null;
  /** The cheapest listings that match, cheapest first; only for series of the listings feed. */
  listings?: readonly ListingMatch[];
  /** Whether a trigger's further condition holds at this snapshot. @default none does */
  holds?: (condition: TriggerCondition) => boolean;
}

export type EndReason = 'expired' | 'event_past' | 'superseded';

/** Why a trigger can never speak again, null while it can. */
export function endOf(trigger: Trigger, facts: SnapshotFacts): EndReason | null {
  const { expiresAt } = trigger.gates;
  if (expiresAt !== null && facts.observedAt >= expiresAt) return 'expired';
  if (hasStarted(facts)) return 'event_past';
  return trigger.role === 'further' && !belongs(trigger, facts.partner) ? 'superseded' : null;
}

function hasStarted({ eventStartsAt, observedAt }: SnapshotFacts): boolean {
  return (eventStartsAt ?? null) !== null && observedAt >= (eventStartsAt ?? 0);
}

/** A further trigger belongs to one firing of its main trigger, for as long as that stays fired. */
function belongs(further: Trigger, main: Trigger | null | undefined): boolean {
  return main?.state === 'fired' && main.generation === further.mainGeneration;
}

export type ClosedReason = 'too_early' | 'conditions_not_met' | 'already_announced';

/** Which condition keeps a reached trigger silent, null when none does. */
export function closedGate(trigger: Trigger, facts: SnapshotFacts): ClosedReason | null {
  if (isTooEarly(trigger, facts)) return 'too_early';
  const { condition, memory } = trigger;
  if (condition !== null && !(facts.holds?.(condition) ?? false)) return 'conditions_not_met';
  return isAnnounced(memory.announced, facts.listings?.[0]) ? 'already_announced' : null;
}

/** Whether a percent is reached by less than the amount that the rule asks for beside it. */
export function isTooSmall(trigger: Trigger, facts: SnapshotFacts): boolean {
  if (trigger.leastChange === null) return false;
  const baseline = baselineOf(trigger, facts.baseline);
  const base = facts.base ?? null;
  return base === null || baseline === null || Math.abs(base - baseline) < trigger.leastChange;
}

/** With the event's start unknown, nobody can say that it is near. */
function isTooEarly({ gates }: Trigger, { eventStartsAt, observedAt }: SnapshotFacts): boolean {
  if (gates.withinMsOfEvent === null) return false;
  return (eventStartsAt ?? Number.POSITIVE_INFINITY) - observedAt > gates.withinMsOfEvent;
}

function isAnnounced(announced: AnnouncedListing[], cheapest: ListingMatch | undefined): boolean {
  if (cheapest === undefined) return false;
  return announced.some(
    ({ key, priceCents }) => key === cheapest.key && priceCents <= cheapest.priceCents,
  );
}

export type LimitReason = 'cooling_down' | 'daily_limit';

/** Which limit on speaking is spent, null when none is. Both triggers of a rule share its limits. */
export function spentLimit(trigger: Trigger, facts: SnapshotFacts): LimitReason | null {
  const { coolDownMs, atMostPerDay } = trigger.gates;
  const firings = ruleFirings(trigger, facts);
  const since = (ageMs: number) => firings.filter((at) => facts.observedAt - at < ageMs);
  if (since(coolDownMs).length > 0) return 'cooling_down';
  if (atMostPerDay === null) return null;
  return since(DAY_MS).length >= atMostPerDay ? 'daily_limit' : null;
}

/** When the rule fired, by either of its triggers, as far as they remember; oldest first. */
export function ruleFirings(trigger: Trigger, { partner }: SnapshotFacts): readonly number[] {
  if (!partner || isAhead(partner, trigger)) return trigger.memory.firings;
  const firings = new Set([...trigger.memory.firings, ...partner.memory.firings]);
  return [...firings].sort((a, b) => a - b);
}

/**
 * Whether a further trigger was stored by a run that ended before it moved the main one. The firing that
 * it remembers is the one to be decided on again, which must come out as it did.
 */
function isAhead(further: Trigger, main: Trigger): boolean {
  return main.state !== 'fired' && further.mainGeneration === main.generation;
}
