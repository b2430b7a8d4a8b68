/**
 * Triggers: the compiled form of a rule, and their state between snapshots. Decides nothing; see decide.ts.
 */

import { furtherTriggerId, mainTriggerIdOf } from './further-trigger-id.ts';
import type { SeriesKey } from './series.ts';
import type { Bps, Quantity } from './units.ts';

/** `down` is reached by a value at or below the level, `up` by one at or above it. */
export type Direction = 'down' | 'up';

/** A distance: a part of the starting number, an amount in its unit, or the larger of both. */
export interface LevelStep<Amount extends Quantity = Quantity> {
  bps: Bps | null;
  amount: Amount | null;
}

/**
 * `new`: not yet matched. `armed`: waits for its level. `pending`: reached, waits for confirmation. `fired`:
 * has alerted, waits for its rearm level.
 */
export const triggerStates = ['new', 'armed', 'pending', 'fired'] as const;
export type TriggerState = (typeof triggerStates)[number];

/**
 * `main`: the rule's own trigger; `further`: fires at each further step while the main trigger stays fired;
 * `no_data`: fires when the value is missing.
 */
export const triggerRoles = ['main', 'further', 'no_data'] as const;
export type TriggerRole = (typeof triggerRoles)[number];

/**
 * `wait_for_rearm`: silent until the value passes the rearm level. `stay_armed`: for one-off events (a
 * change, a new low), each of which counts. `follow`: armed again, a step beyond the value at which it
 * fired.
 */
export type AfterFiring = 'wait_for_rearm' | 'stay_armed' | 'follow';

/** Conditions besides the level, checked only when the level is reached. */
export type TriggerCondition =
  | { all: TriggerCondition[] }
  | { any: TriggerCondition[] }
  | { series: SeriesKey; direction: Direction; level: number };

/** The most confirmations that a rule may have. */
export const mostConfirmations = 10;

/** When a reached trigger may fire; times in milliseconds of the market's time. */
export interface TriggerLimits {
  /** How many new snapshots in a row must reach it, 1 or more. */
  confirmations: number;
  coolDownMs: number;
  /** Alerts in any 24 hours; null is no limit. */
  atMostPerDay: number | null;
  /** Epoch milliseconds. */
  expiresAt: number | null;
  /** Silent until the event is this near. */
  withinMsOfEvent: number | null;
}

/** A level that is a step away from a baseline that the trigger keeps. */
export interface RelativeLevel {
  step: LevelStep;
  rearmMargin: LevelStep;
}

/** The part of a trigger that is matched; levels in the series' own unit. */
export interface TriggerSpec {
  role: TriggerRole;
  series: SeriesKey;
  direction: Direction;
  level: number;
  /** Strictly on the other side of the level; a fired trigger re-arms on reaching it. */
  rearmLevel: number;
  afterFiring: AfterFiring;
  /** What to do if the trigger is already true when it is first matched. */
  whenAlreadyTrue: 'fire' | 'wait';
  /** Set if the level follows a baseline; the level is then unknown until the first match. */
  relative: RelativeLevel | null;
  /** Set if each firing arms a `further` trigger. */
  repeat: LevelStep | null;
  gates: TriggerLimits;
  condition: TriggerCondition | null;
  /** With a percent: the smallest change that counts, in the number's unit. */
  leastChange: number | null;
  /** The fee that the level includes, to show both prices. */
  feeBps: number;
  /** Set if re-arming after an alert is told once (`tell_recovery`); absent otherwise. */
  tellRecovery?: true;
}

export interface TriggerIdentity {
  triggerId: string;
  watchId: string;
  ruleId: string;
  ownerId: string;
  eventId: number;
  /**
   * The rule's trigger for missing data, and on that one the rule's main trigger: they share the rule's limits.
   * Absent if the rule has one trigger.
   */
  siblingId?: string;
  /** The event's shard that the trigger is in for life; absent for the first. */
  shard?: number;
}

export interface AnnouncedListing {
  key: string;
  priceCents: number;
}

export interface PendingMemory {
  /** Snapshots in a row that reached it. */
  count: number;
  /** The baseline of the change when it was first reached. */
  baseline: number | null;
  /** Whether it was reached when it was first matched. */
  alreadyTrue: boolean;
}

/** The firing whose alert was raised, kept until the trigger re-arms. */
export interface AlertedFiring {
  generation: number;
  /** The number before a window transform, in its own unit. */
  base: number;
  /** Epoch milliseconds. */
  observedAt: number;
}

/** The stored memory of a trigger. */
export interface TriggerMemory {
  /** The baseline of a relative level, in the series' unit. */
  baseline: number | null;
  /** `observedAt` of the last firings, oldest first: as many as its limits need. */
  firings: readonly number[];
  pending: PendingMemory | null;
  /** The last listings in alerts, newest last. */
  announced: AnnouncedListing[];
  /** Present while a fired trigger must tell its re-arming; only with `tellRecovery`. */
  alerted?: AlertedFiring;
}

export interface Trigger extends TriggerSpec, TriggerIdentity {
  state: TriggerState;
  /** Grows with each arming; with the trigger's id it forms the alert's id. */
  generation: number;
  /** Epoch milliseconds. */
  createdAt: number;
  /** `observedAt` of the snapshot that last moved it, null before the first. */
  movedThrough: number | null;
  memory: TriggerMemory;
  /** For a `further` trigger: the generation of its main trigger. */
  mainGeneration: number | null;
}

/** A trigger that has not been matched yet. */
export function createTrigger(
  spec: TriggerSpec,
  identity: TriggerIdentity,
  createdAt: number,
): Trigger {
  return {
    ...spec,
    ...identity,
    state: 'new',
    generation: 1,
    createdAt,
    movedThrough: null,
    memory: { baseline: null, firings: [], pending: null, announced: [] },
    mainGeneration: null,
  };
}

/**
 * The other trigger of a rule that repeats; null for a rule that does not. Both need each other's state: a
 * further trigger counts only while its main trigger stays fired, and both share the limits.
 */
export function partnerIdOf({ role, triggerId, repeat }: Trigger): string | null {
  if (role === 'further') return mainTriggerIdOf(triggerId);
  return repeat === null ? null : furtherTriggerId(triggerId);
}

/** The sibling of one of a rule's triggers, whose ids are in the order of `compileRule`. */
export function siblingOf(
  triggerIds: readonly string[],
  triggerId: string,
): Pick<TriggerIdentity, 'siblingId'> {
  const siblingId = triggerIds.find((id) => id !== triggerId);
  return siblingId === undefined ? {} : { siblingId };
}

/**
 * The rule's other triggers, besides the partner, whose firings count for its limits; empty for a rule without
 * limits.
 */
export function limitSharersOf({ role, siblingId, gates }: Trigger): string[] {
  const isLimited = gates.coolDownMs > 0 || gates.atMostPerDay !== null;
  if (siblingId === undefined || !isLimited) return [];
  return role === 'no_data' ? [siblingId, furtherTriggerId(siblingId)] : [siblingId];
}

/** Whether the trigger was reached when it was first matched, and has not fired since. */
export function wasAlreadyTrue({ state, memory }: Trigger): boolean {
  return state === 'new' || (memory.pending?.alreadyTrue ?? false);
}

/**
 * The baseline of a trigger's change, given the snapshot's. For one-off events each snapshot has its own
 * baseline, so a pending trigger keeps the one of the first sighting.
 */
export function baselineOf(
  { afterFiring, memory }: Trigger,
  seen: number | null | undefined,
): number | null {
  const kept = afterFiring === 'stay_armed' ? memory.pending?.baseline : undefined;
  return memory.baseline ?? kept ?? seen ?? null;
}

/** All series of a trigger: its own, and those of its conditions. */
export function seriesAskedFor({
  series,
  condition,
}: Pick<TriggerSpec, 'series' | 'condition'>): Set<SeriesKey> {
  return new Set([series, ...seriesOfCondition(condition)]);
}

function seriesOfCondition(condition: TriggerCondition | null): SeriesKey[] {
  if (condition === null) return [];
  if ('all' in condition) return condition.all.flatMap(seriesOfCondition);
  return 'any' in condition ? condition.any.flatMap(seriesOfCondition) : [condition.series];
}

/** Whether the value is at the trigger's level or beyond it. */
export function isReached(
  { direction, level }: Pick<TriggerSpec, 'direction' | 'level'>,
  value: number,
): boolean {
  return direction === 'down' ? value <= level : value >= level;
}

/** Whether the value is at the trigger's rearm level or further back. */
export function hasPassedRearm(
  { direction, rearmLevel }: Pick<TriggerSpec, 'direction' | 'rearmLevel'>,
  value: number,
): boolean {
  return direction === 'down' ? value >= rearmLevel : value <= rearmLevel;
}
