/**
 * Triggers: what a rule compiles to, and the state of one between snapshots. Decides nothing; see
 * decide.ts.
 */
import type { SeriesKey } from './series.ts';

/** `down` is reached by a value at or below the level, `up` by one at or above it. */
export type Direction = 'down' | 'up';

/**
 * `new`: not yet held against the market. `armed`: waits for its level. `pending`: reached, waits
 * for confirmation. `fired`: has spoken, waits for the value to pass its rearm level.
 */
export const triggerStates = ['new', 'armed', 'pending', 'fired'] as const;
export type TriggerState = (typeof triggerStates)[number];

/** The matching half of a trigger; levels in the series' own unit. */
export interface TriggerSpec {
  series: SeriesKey;
  direction: Direction;
  level: number;
  /** Strictly on the other side of the level; a fired trigger re-arms on reaching it. */
  rearmLevel: number;
  /** What a trigger does that is already true when it is first held against the market. */
  whenAlreadyTrue: 'fire' | 'wait';
}

export interface TriggerIdentity {
  triggerId: string;
  watchId: string;
  ruleId: string;
  ownerId: string;
  eventId: number;
}

export interface Trigger extends TriggerSpec, TriggerIdentity {
  state: TriggerState;
  /** Grows with each arming; with the trigger id it names one alert. */
  generation: number;
  /** Epoch milliseconds. */
  createdAt: number;
  /** `observedAt` of the snapshot that last moved it, null before the first. */
  movedThrough: number | null;
}

/** A trigger that has not yet been held against the market. */
export function createTrigger(
  spec: TriggerSpec,
  identity: TriggerIdentity,
  createdAt: number,
): Trigger {
  return { ...spec, ...identity, state: 'new', generation: 1, createdAt, movedThrough: null };
}

/** Whether the value is at the trigger's level or beyond it. */
export function isReached({ direction, level }: TriggerSpec, value: number): boolean {
  return direction === 'down' ? value <= level : value >= level;
}

/** Whether the value is at the trigger's rearm level or beyond it, on the far side. */
export function hasPassedRearm({ direction, rearmLevel }: TriggerSpec, value: number): boolean {
  return direction === 'down' ? value >= rearmLevel : value <= rearmLevel;
}
