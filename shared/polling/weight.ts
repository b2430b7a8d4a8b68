// The cost of a delay of one feed relative to others: feeds near a trigger and near their event go first.
// Pure numbers; the budget decides how much may be spent.

export interface WeightInput {
  /** The watches' smallest latency: how late an alert may be. */
  wishedMs: number;
  /** The distance from the price to the nearest level, as a fraction of the price; null while unknown. */
  distance: number | null;
  /** The time until the event starts; null while unknown. */
  msToEvent: number | null;
  /** The number of subscribed watches. */
  watches: number;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/**
 * A positive weight; 1 is a feed of one watch with a latency of a minute, 40% from a trigger, nine days away.
 */
export function weightOf({ wishedMs, distance, msToEvent, watches }: WeightInput): number {
  return closeness(distance) * urgency(msToEvent) * haste(wishedMs) * Math.max(1, watches);
}

/**
 * The cost of a minute that one alert waits: 1 for a latency of a minute and an event 20 days away. How many alerts
 * wait is known apart. A listing may be gone by the next pull, so its minutes count double.
 */
export function waitingWeight({
  wishedMs,
  msToEvent,
  isFinal,
}: Pick<WeightInput, 'wishedMs' | 'msToEvent'> & { isFinal: boolean }): number {
  return haste(wishedMs) * urgency(msToEvent) ** eventPower * (isFinal ? 1 : 2);
}

/** Near the event the expected alerts already grow, so time counts less than in `weightOf`. */
const eventPower = 0.25;

/** 4 at the level, 2 at an eighth away; 2 for a change rule or an unknown level, which may be near. */
function closeness(distance: number | null): number {
  return distance === null ? 2 : 4 / (1 + 8 * Math.max(0, distance));
}

/** 4 at event start, 2 three days before, 0.5 from 21 days before; 1 if the start is unknown. */
function urgency(msToEvent: number | null): number {
  if (msToEvent === null) return 1;
  return Math.max(0.5, 4 / (1 + Math.max(0, msToEvent) / (3 * dayMs)));
}

/** A longer latency lowers the weight by its square root: a delay hurts less, but not in proportion. */
function haste(wishedMs: number): number {
  return Math.sqrt(minuteMs / Math.max(minuteMs, wishedMs));
}

/**
 * The distance from a value to the nearest level, as a fraction of the value; null if no trigger is armed.
 * Levels are of one series, in its own unit.
 */
export function distanceTo(value: number | null, levels: readonly number[]): number | null {
  if (value === null || value <= 0 || levels.length === 0) return null;
  return Math.min(...levels.map((level) => Math.abs(value - level) / value));
}
