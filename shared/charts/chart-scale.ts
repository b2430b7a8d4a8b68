// Where a chart's points lie in its picture. Lengths are CSS pixels; y grows downwards.
import type { ChartExtremes, ChartPoint } from './chart.ts';

/** The size of the picture: as wide as a mail shows it, so that its lines stay sharp there. */
export const chartSize = { width: 512, height: 150 } as const;

/** The rectangle of the line; the words are around it. */
export interface PlotArea {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface ChartScale {
  area: PlotArea;
  x(at: number): number;
  y(value: number): number;
  /** The level, if it is near enough to the values to be drawn with them. */
  level: number | undefined;
}

/** A change of less than this part of the value does not fill the height. */
const leastSpan = 0.04;
/** A level further away than this many times the height of the values would press them flat. */
const furthestLevel = 1.5;

export function scaleOf(
  { first, last, lowest, highest }: ChartExtremes,
  level: number | undefined,
  area: PlotArea,
): ChartScale {
  const [low, high] = [lowest[1], highest[1]];
  const span = Math.max(high - low, leastSpan * Math.abs(high), 1);
  const away = level === undefined ? 0 : Math.max(low - level, level - high);
  const drawn = away > furthestLevel * span ? undefined : level;
  const [bottom, top] = [Math.min(low, drawn ?? low), Math.max(high, drawn ?? high)];
  const missing = Math.max(0, span - (top - bottom)) / 2;
  const [from, to] = [bottom - missing, top + missing];
  const perMs = (area.right - area.left) / (last[0] - first[0]);
  const perUnit = (area.bottom - area.top) / (to - from);
  return {
    area,
    x: (at) => onGrid(area.left + (at - first[0]) * perMs),
    y: (value) => onGrid(area.bottom - (value - from) * perUnit),
    level: drawn,
  };
}

/** The middle of a pixel of the picture at twice its size, so that lines of 1.5 are sharp. */
function onGrid(length: number): number {
  return Math.floor(length * 2) / 2 + 0.25;
}

/** The line of the points: each value holds until the next one. */
export function stepPath(points: readonly ChartPoint[], { x, y }: ChartScale): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let [path, height] = [`M${x(first[0])} ${y(first[1])}`, y(first[1])];
  for (const [at, value] of rest) {
    path += `H${x(at)}`;
    if (y(value) !== height) path += `V${y(value)}`;
    height = y(value);
  }
  return path;
}

/** The highest and the lowest place of the line between two x. */
export function heightsBetween(
  points: readonly ChartPoint[],
  { x, y }: ChartScale,
  [from, to]: [number, number],
): { top: number; bottom: number } {
  const heights = points.flatMap(([at, value], index) => {
    const next = points[index + 1];
    const ends = next ? x(next[0]) : x(at);
    return x(at) <= to && ends >= from ? [y(value)] : [];
  });
  return { top: Math.min(...heights), bottom: Math.max(...heights) };
}
