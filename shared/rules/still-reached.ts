// Whether a later snapshot still reaches what a firing reached: against its level and its baseline, not
// against those of today.
import { emptyHistory } from './history.ts';
import { readSeries, remeasure } from './reading.ts';
import { parseSeries, type SeriesKey } from './series.ts';
import type { Snapshot } from './sources/sources.ts';
import { type Direction, isReached } from './trigger.ts';

/** The frozen numbers of a firing, in the units of its series. */
export interface FrozenFiring {
  series: SeriesKey;
  direction: Direction;
  level: number;
  /** The value that a change was measured from. */
  baseline: number | null;
}

/** A change whose baseline is unknown counts as still reached: a late alert is better than a lost one. */
export function isStillReached(firing: FrozenFiring, snapshot: Snapshot): boolean {
  const { transform } = parseSeries(firing.series);
  const reading = readSeries(firing.series, snapshot, emptyHistory);
  // A listing is new only once; later, check that a listing like it still exists.
  if (!transform) return reading.standing !== null && isReached(firing, reading.standing);
  if (reading.base === null) return false;
  const change =
    firing.baseline === null ? null : remeasure(transform, reading.base, firing.baseline);
  return change === null || isReached(firing, change);
}
