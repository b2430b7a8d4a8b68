// A chart as one line of text, for messages without pictures: ▇▇▅▅▃▂▁.
import { type ChartExtremes, type ChartPoint, extremesOf } from './chart.ts';

/** Without ▄ and █, which many fonts draw at another height or width than the others. */
const bars = ['▁', '▂', '▃', '▅', '▆', '▇'] as const;
/** All of the bars when no value differs. */
const flatBar = '▃';

/**
 * The values as bars, evenly apart; more than `most` (at least 3) are drawn together. The first, the last and
 * the lowest value stay, and so does the highest unless it shares a bar with the lowest.
 * @returns '' for fewer than two values.
 */
export function sparkline(values: readonly number[], most = 24): string {
  if (values.length < 2) return '';
  const points = values.map((value, at): ChartPoint => [at, value]);
  return values.length > barsWithin(most) ? sparklineOf(points, most) : barsOf(values);
}

/**
 * The same for points in time: at most `most` bars, each an equal part of the time between first and last.
 * @returns '' for fewer than two points.
 */
export function sparklineOf(points: readonly ChartPoint[], most = 24): string {
  const extremes = extremesOf(points);
  return extremes ? barsOf(valuesOver(points, extremes, barsWithin(most))) : '';
}

/** Both ends, and something between them. */
function barsWithin(most: number): number {
  return Math.max(3, Math.floor(most));
}

function barsOf(values: readonly number[]): string {
  const lowest = values.reduce((a, b) => Math.min(a, b));
  const highest = values.reduce((a, b) => Math.max(a, b));
  if (lowest === highest) return flatBar.repeat(values.length);
  const perBar = (highest - lowest) / (bars.length - 1);
  return values.map((value) => bars[Math.round((value - lowest) / perBar)]).join('');
}

/** The first value, one value for each part of the time, the last value. */
function valuesOver(
  points: readonly ChartPoint[],
  extremes: ChartExtremes,
  count: number,
): number[] {
  const { first, last } = extremes;
  const parts = count - 2;
  const partMs = (last[0] - first[0]) / parts;
  let next = 0;
  const values = Array.from({ length: parts }, (_, part) => {
    const from = next;
    const through = first[0] + (part + 1) * partMs;
    while ((points[next]?.[0] ?? Number.POSITIVE_INFINITY) <= through) next += 1;
    return valueIn(points.slice(from, next), extremes) ?? points[next - 1]?.[1] ?? first[1];
  });
  return [first[1], ...values, last[1]];
}

/** What stands for the points of one part; undefined for none: the value before them holds on. */
function valueIn(
  points: readonly ChartPoint[],
  { lowest, highest }: ChartExtremes,
): number | undefined {
  const values = points.map(([, value]) => value);
  const extreme = [lowest[1], highest[1]].find((value) => values.includes(value));
  return extreme ?? values.at(-1);
}
