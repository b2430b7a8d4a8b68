/**
 * Decides when a reached trigger may fire: has it ended, do its conditions hold, has its rule reached a limit.
 * Uses the market's time, so evaluating a series twice gives the same alerts.
 */
import type { ListingMatch } from './listings-snapshot.ts';
import {
  type AnnouncedListing,
  baselineOf,
  type Trigger,
  type TriggerCondition,
} from './trigger.ts';
import { DAY_MS } from './window.ts';

/** The inputs of a decision about the snapshot, the event and the rule's other trigger. */
export interface SnapshotFacts {
  /** Now, epoch milliseconds. @default no time counts as future */
  now?: number | undefined;
  /** When the market had these values, epoch milliseconds. */
  observedAt: number;
  /** Whether no newer snapshot is known. Only then may it be older than a new trigger. @default true */
  isNewest?: boolean;
  /** The price is a jump that waits for the next snapshot. @default false */
  isSuspect?: boolean;
  /** The number before a window transform. @default the value */
  base?: number | null;
  /** The value that the change was measured from. */
  baseline?: number | null;
  /** When the first value in the series' window was seen, epoch milliseconds. @default no window */
  windowSince?: number | null;
  /** The current value, for a new trigger. @default the value */
  standing?: number | null;
  /** Epoch milliseconds, null while unknown. */
  eventStartsAt?: number | null;
  /** The other trigger of a rule that repeats, as stored now (trigger.ts, partnerIdOf). */
  partner?: Trigger | null;
  /** The rule's other triggers that share its limits, as stored now (trigger.ts, limitSharersOf). */
  sharers?: readonly Trigger[];
  /** The cheapest listings that match, cheapest first; only for series of the listings feed. */
  listings?: readonly ListingMatch[];
  /** Whether the price is that of one listing far under the rest. @default false */
  isLone?: () => boolean;
  /** Whether a further condition of a trigger holds at this snapshot. @default no condition holds */
  holds?: (condition: TriggerCondition) => boolean;
}

export type EndReason = 'expired' | 'event_past' | 'superseded';

/** Why a trigger can never fire again; null while it can. */
export function endOf(trigger: Trigger, facts: SnapshotFacts): EndReason | null {
  const { expiresAt } = trigger.gates;
  if (expiresAt !== null && facts.observedAt >= expiresAt) return 'expired';
  if (hasStarted(facts)) return 'event_past';
  return trigger.role === 'further' && !belongs(trigger, facts.partner) ? 'superseded' : null;
}

function hasStarted({ eventStartsAt, observedAt }: SnapshotFacts): boolean {
  return (eventStartsAt ?? null) !== null && observedAt >= (eventStartsAt ?? 0);
}

/** A further trigger counts only while its main trigger stays in the same firing. */
function belongs(further: Trigger, main: Trigger | null | undefined): boolean {
  return main?.state === 'fired' && main.generation === further.mainGeneration;
}

export type ClosedReason = 'too_early' | 'conditions_not_met' | 'already_announced';

/** Which condition stops a reached trigger; null if none does. */
export function limitReached(trigger: Trigger, facts: SnapshotFacts): ClosedReason | null {
  if (isTooEarly(trigger, facts)) return 'too_early';
  const { condition, memory } = trigger;
  if (condition !== null && !(facts.holds?.(condition) ?? false)) return 'conditions_not_met';
  return isAnnounced(memory.announced, facts.listings?.[0]) ? 'already_announced' : null;
}

/** Whether the change is smaller than the minimum amount beside a percent. */
export function isTooSmall(trigger: Trigger, facts: SnapshotFacts): boolean {
  if (trigger.leastChange === null) return false;
  const baseline = baselineOf(trigger, facts.baseline);
  const base = facts.base ?? null;
  return base === null || baseline === null || Math.abs(base - baseline) < trigger.leastChange;
}

/** If the event's start is unknown, the event does not count as near. */
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

/** Which limit is reached; null if none is. All triggers of a rule share its limits. */
export function spentLimit(trigger: Trigger, facts: SnapshotFacts): LimitReason | null {
  const { coolDownMs, atMostPerDay } = trigger.gates;
  const firings = ruleFirings(trigger, facts);
  const since = (ageMs: number) => firings.filter((at) => facts.observedAt - at < ageMs);
  if (since(coolDownMs).length > 0) return 'cooling_down';
  if (atMostPerDay === null) return null;
  return since(DAY_MS).length >= atMostPerDay ? 'daily_limit' : null;
}

/** The remembered firings of all triggers of the rule; oldest first. */
export function ruleFirings(
  trigger: Trigger,
  { partner, sharers = [] }: SnapshotFacts,
): readonly number[] {
  const others = partner && !isAhead(partner, trigger) ? [partner, ...sharers] : sharers;
  if (others.length === 0) return trigger.memory.firings;
  const firings = [trigger, ...others].flatMap(({ memory }) => memory.firings);
  return [...new Set(firings)].sort((a, b) => a - b);
}

/**
 * Whether a run stored the further trigger and ended before it moved the main trigger. The same firing is
 * then decided again and must give the same result, so the further trigger's memory of it does not count.
 */
function isAhead(further: Trigger, main: Trigger): boolean {
  return main.state !== 'fired' && further.mainGeneration === main.generation;
}
