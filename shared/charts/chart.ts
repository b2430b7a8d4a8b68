// A chart: the values that are drawn, and the words around them. Draws nothing: price-chart.ts does.
import { isMoment } from '../moment.ts';

/** A value and when the market had it: epoch milliseconds, and cents, a count or basis points. */
export type ChartPoint = [at: number, value: number];

/** The recent values of one number, as they are kept with an alert. */
export interface Chart {
  /** Oldest first, each time once; a value holds until the next point. At least 2 and at most `mostPoints`. */
  points: ChartPoint[];
  /** The clock of the chart's days: minutes to add to UTC. */
  utcOffsetMinutes: number;
}

/** The most points that are kept with an alert. */
export const mostPoints = 96;

/** What the number did: `none` for an alert that the number is missing. */
export type ChartTone = 'fall' | 'rise' | 'none';

/** A level in a chart. */
export interface ChartLevel {
  /** In the unit of the points. */
  value: number;
  /** The words at the line: "$120". */
  label: string;
  /** The words in a sentence: "Your level: $120". */
  words: string;
}

/** Everything that a chart shows. Its texts may have names from the market in them. */
export interface ChartFacts {
  /** What the number is: "Get-in", "Get-in, Lower Bowl". */
  title: string;
  chart: Chart;
  tone: ChartTone;
  level: ChartLevel | undefined;
  /** A value in words: "$118". */
  valueText: (value: number) => string;
}

/** The first and the last point, the lowest and the highest; of equal ones, the newest. */
export interface ChartExtremes {
  first: ChartPoint;
  last: ChartPoint;
  lowest: ChartPoint;
  highest: ChartPoint;
}

/** @returns undefined for fewer than two points, which are no chart. */
export function extremesOf(points: readonly ChartPoint[]): ChartExtremes | undefined {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || points.length < 2) return undefined;
  let [lowest, highest] = [first, first];
  for (const point of points) {
    if (point[1] <= lowest[1]) lowest = point;
    if (point[1] >= highest[1]) highest = point;
  }
  return { first, last, lowest, highest };
}

/** Whether a stored value is a chart that all readers can use. */
export function isChart(value: unknown): value is Chart {
  if (typeof value !== 'object' || value === null) return false;
  const { points, utcOffsetMinutes } = value as Partial<Record<keyof Chart, unknown>>;
  if (!isOffset(utcOffsetMinutes) || !Array.isArray(points)) return false;
  const areSome = points.length >= 2 && points.length <= mostPoints;
  return areSome && points.every(isPoint) && areInOrder(points);
}

function isPoint(value: unknown): value is ChartPoint {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every(Number.isSafeInteger) &&
    isMoment(value[0])
  );
}

/** No clock is a whole day away from UTC. */
function isOffset(value: unknown): boolean {
  return Number.isFinite(value) && Math.abs(Number(value)) < 24 * 60;
}

function areInOrder(points: readonly ChartPoint[]): boolean {
  return points.every(([at], index) => at > (points[index - 1]?.[0] ?? Number.NEGATIVE_INFINITY));
}
