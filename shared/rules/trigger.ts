/**
 * Triggers: what a rule compiles to, and the state of one between snapshots. Decides nothing; see
 * decide.ts.
 */

import type { SeriesKey } from './series.ts';

/** `down` is reached by a value at or below the level, `up` by one at or above it. */
export type Direction = 'down' | 'up';

/** A distance, as a part of the number it starts from, as an amount in its unit, or the larger of both. */
export interface LevelStep {
  bps: number | null;
  amount: number | null;
}

/**
 * `new`: not yet held against the market. `armed`: waits for its level. `pending`: reached, waits
 * for confirmation. `fired`: has spoken, waits for the value to pass its rearm level.
 */
export const triggerStates = ['new', 'armed', 'pending', 'fired'] as const;
export type TriggerState = (typeof triggerStates)[number];

/**
 * `main` is what the rule asks; `further` speaks at each further step while the main one stays
 * fired; `no_data` says that the value is missing.
 */
export type TriggerRole = 'main' | 'further' | 'no_data';

/**
 * `wait_for_rearm`: silent until the value passes the rearm level. `stay_armed`: its series is news
 * by itself (a change, a new low), so that each time counts. `follow`: armed anew, a step beyond the
 * value it fired at.
 */
export type AfterFiring = 'wait_for_rearm' | 'stay_armed' | 'follow';

/** What must hold besides the level, checked only when it is reached. */
export type TriggerCondition =
  | { all: TriggerCondition[] }
  | { any: TriggerCondition[] }
  | { series: SeriesKey; direction: Direction; level: number };

/** When a reached trigger may speak; times in milliseconds of the market's time. */
export interface Gates {
  /** New snapshots in a row that must reach it, 1 or more. */
  confirmations: number;
  coolDownMs: number;
  /** Alerts in any 24 hours; null is no limit. */
  atMostPerDay: number | null;
  /** Epoch milliseconds. */
  expiresAt: number | null;
  /** Silent until the event is this near. */
  withinMsOfEvent: number | null;
}

/** A level that is a step away from a baseline which the trigger itself keeps. */
export interface RelativeLevel {
  step: LevelStep;
  rearmMargin: LevelStep;
}

/** The matching half of a trigger; levels in the series' own unit. */
export interface TriggerSpec {
  role: TriggerRole;
  series: SeriesKey;
  direction: Direction;
  level: number;
  /** Strictly on the other side of the level; a fired trigger re-arms on reaching it. */
  rearmLevel: number;
  afterFiring: AfterFiring;
  /** What a trigger does that is already true when it is first held against the market. */
  whenAlreadyTrue: 'fire' | 'wait';
  /** Set where the level follows a baseline; the level is then unknown until the first look. */
  relative: RelativeLevel | null;
  /** Set where a `further` trigger is armed at each firing. */
  repeat: LevelStep | null;
  gates: Gates;
  condition: TriggerCondition | null;
  /** Beside a percent: the least that the number must have changed by, in its unit. */
  leastChange: number | null;
  /** Fee that was worked into the level, to show both prices. */
  feeBps: number;
}

export interface TriggerIdentity {
  triggerId: string;
  watchId: string;
  ruleId: string;
  ownerId: string;
  eventId: number;
}

export interface AnnouncedListing {
  key: string;
  priceCents: number;
}

export interface PendingMemory {
  /** Snapshots in a row that reached it. */
  count: number;
  /** What its change was seen from first. */
  baseline: number | null;
  /** Whether it was reached at its first look. */
  alreadyTrue: boolean;
}

/** What a trigger remembers of its own past. */
export interface TriggerMemory {
  /** Of a relative level: what it is measured from, in the series' unit. */
  baseline: number | null;
  /** `observedAt` of the last firings, oldest first: as many as its limits may ask about. */
  firings: readonly number[];
  pending: PendingMemory | null;
  /** The listings named last, newest last. */
  announced: AnnouncedListing[];
}

export interface Trigger extends TriggerSpec, TriggerIdentity {
  state: TriggerState;
  /** Grows with each arming; with the trigger id it names one alert. */
  generation: number;
  /** Epoch milliseconds. */
  createdAt: number;
  /** `observedAt` of the snapshot that last moved it, null before the first. */
  movedThrough: number | null;
  memory: TriggerMemory;
  /** Of a `further` trigger: the generation of its main trigger that it belongs to. */
  mainGeneration: number | null;
}

/** A trigger that has not yet been held against the market. */
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

const FURTHER_SUFFIX = 'f';

/** The id of the trigger that speaks at further steps, given its main trigger's. */
export function furtherTriggerId(mainTriggerId: string): string {
  return `${mainTriggerId}${FURTHER_SUFFIX}`;
}

/**
 * The other trigger of a rule that repeats, null for a rule that does not. Each must know of the
 * other: a further trigger counts only while its main trigger stays fired, and both share one
 * cool-down.
 */
export function partnerIdOf({ role, triggerId, repeat }: Trigger): string | null {
  if (role === 'further') return triggerId.slice(0, -FURTHER_SUFFIX.length);
  return repeat === null ? null : furtherTriggerId(triggerId);
}

/** Whether the trigger was reached when it was first held against the market, and has not spoken since. */
export function wasAlreadyTrue({ state, memory }: Trigger): boolean {
  return state === 'new' || (memory.pending?.alreadyTrue ?? false);
}

/**
 * What a trigger's change is measured from, given what the snapshot says. Where each time is news,
 * the next snapshot has its own, so a pending trigger keeps the baseline that it was first seen from.
 */
export function baselineOf(
  { afterFiring, memory }: Trigger,
  seen: number | null | undefined,
): number | null {
  const kept = afterFiring === 'stay_armed' ? memory.pending?.baseline : undefined;
  return memory.baseline ?? kept ?? seen ?? null;
}

/** Every series that a trigger asks for: its own, and those of its conditions. */
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

/** Whether the value is at the trigger's rearm level or beyond it, on the far side. */
export function hasPassedRearm(
  { direction, rearmLevel }: Pick<TriggerSpec, 'direction' | 'rearmLevel'>,
  value: number,
): boolean {
  return direction === 'down' ? value >= rearmLevel : value <= rearmLevel;
}
