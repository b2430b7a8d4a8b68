// What an hour's delay of a feed is worth beside another's: who is near a trigger, and soon over,
// goes first. Pure numbers; how much may be spent is the budget's business.

export interface WeightInput {
  /** How late the watchers let an alert be. */
  wishedMs: number;
  /** How far the nearest level is from the price, as a fraction of it; null while not known. */
  distance: number | null;
  /** Until the event starts; null while not known. */
  msToEvent: number | null;
  /** Watches that wait for it. */
  watches: number;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** A positive weight; 1 is a feed that one watch wishes within a minute, 40% from a trigger, nine days away. */
export function weightOf({ wishedMs, distance, msToEvent, watches }: WeightInput): number {
  return closeness(distance) * urgency(msToEvent) * haste(wishedMs) * Math.max(1, watches);
}

/** 4 at the level, half of it an eighth away. A change or an unknown level may be near. */
function closeness(distance: number | null): number {
  return distance === null ? 2 : 4 / (1 + 8 * Math.max(0, distance));
}

/** 4 at the doors, half of it three days before, a half from three weeks before on. */
function urgency(msToEvent: number | null): number {
  if (msToEvent === null) return 1;
  return Math.max(0.5, 4 / (1 + Math.max(0, msToEvent) / (3 * dayMs)));
}

/** Who can wait an hour is hurt less by waiting a day, though not sixty times less. */
function haste(wishedMs: number): number {
  return Math.sqrt(minuteMs / Math.max(minuteMs, wishedMs));
}

/**
 * How far the nearest level lies from a value, as a fraction of the value; null where nothing is
 * armed. Levels are of one series, in its own unit.
 */
export function distanceTo(value: number | null, levels: readonly number[]): number | null {
  if (value === null || value <= 0 || levels.length === 0) return null;
  return Math.min(...levels.map((level) => Math.abs(value - level) / value));
}
