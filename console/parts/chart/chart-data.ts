// What a chart shows, and what its crosshair says.
import { inUnit } from '../../words/amounts.ts';
import { shortTime } from '../../words/times.ts';

export type ChartUnit = 'dollars' | 'count' | 'percent';
export type ChartValues = readonly (number | null)[];

export interface ChartLine {
  name: string;
  /** main: a step line in ink; the others are thinner. */
  look: 'main' | 'thin' | 'dashed';
  values: ChartValues;
}

export interface ChartData {
  /** Ascending, in seconds. A value holds until the next time. */
  times: readonly number[];
  /** All of one unit. */
  lines: readonly ChartLine[];
  unit: ChartUnit;
  /** Drawn as bars at the bottom. */
  bars?: { name: string; values: ChartValues } | undefined;
}

/** An alert, or one that a rule would have raised. */
export interface ChartMark {
  /** Epoch milliseconds. */
  at: number;
  /** null: only the time is marked. */
  value: number | null;
  isSent: boolean;
}

/** A line that a person can drag. */
export interface LevelLine {
  id: string;
  /** Whose level it is, for screen readers. */
  name: string;
  value: number;
  /** Called when a person has chosen another one. undefined: it can't be moved here. */
  choose?: ((value: number) => void) | undefined;
}

/** When we looked, and whether it was paid. */
export interface ChartLooks {
  /** In seconds. */
  times: readonly number[];
  pulls: readonly number[];
}

/** All values at a position: `Nov 17, 09:40`, and `get-in $138`, `412 listings`. */
export function readoutAt(
  { times, lines, bars, unit }: ChartData,
  position: number,
  { now, zone }: { now: number; zone: string },
): { time: string; values: { name: string; text: string }[] } | undefined {
  const at = times[position];
  if (at === undefined) return undefined;
  const values = lines.map(({ name, values: all }) => ({
    name,
    text: inUnit(all[position] ?? null, unit),
  }));
  const listings = bars
    ? [{ name: bars.name, text: inUnit(bars.values[position] ?? null, 'count') }]
    : [];
  return { time: shortTime(at * 1_000, now, zone), values: [...values, ...listings] };
}

/** The last position at or before a time in seconds; -1 if there is none. */
export function positionAt(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The lowest and the highest value on the chart: of all lines, and of levels that are not so far away that the lines
 * would be flat. Below it leaves room for the bars.
 */
export function rangeOf(
  lines: readonly ChartLine[],
  levels: readonly number[],
  hasBars: boolean,
): [low: number, high: number] {
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const all = known.length > 0 ? known : levels;
  if (all.length === 0) return [0, 1];
  let [low, high] = [Math.min(...all), Math.max(...all)];
  const reach = Math.max(high - low, high * 0.1, 1);
  for (const level of levels) {
    if (level < low - 2 * reach || level > high + 2 * reach) continue;
    [low, high] = [Math.min(low, level), Math.max(high, level)];
  }
  const span = Math.max(high - low, high * 0.05, 0.5);
  return [low - span * (hasBars ? 0.35 : 0.08), high + span * 0.08];
}
