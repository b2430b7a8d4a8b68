// Chooses the points that a chart keeps: few enough to store, with the same picture.
import { type ChartPoint, extremesOf, mostPoints } from './chart.ts';

/**
 * The same step line with at most `most` points (4 or more): without values that repeat the one before, and
 * without the smallest steps, by height and time. Every kept point is one of the given, and the first, the last,
 * the lowest and the highest value are kept.
 * @param points oldest first, each time once.
 */
export function thinPoints(points: readonly ChartPoint[], most = mostPoints): ChartPoint[] {
  const extremes = extremesOf(points);
  if (!extremes) return [...points];
  const stay = new Set(Object.values(extremes));
  const line = points.filter((point, index) => {
    return stay.has(point) || point[1] !== points[index - 1]?.[1];
  });
  const areaAt = (index: number) =>
    has(stay, line[index]) ? Number.POSITIVE_INFINITY : stepArea(line, index);
  const areas = line.map((_, index) => areaAt(index));
  while (line.length > Math.max(most, stay.size)) {
    const smallest = indexOfSmallest(areas);
    line.splice(smallest, 1);
    areas.splice(smallest, 1);
    for (const beside of [smallest - 1, smallest]) areas[beside] = areaAt(beside);
  }
  return line;
}

function has(points: ReadonlySet<ChartPoint>, point: ChartPoint | undefined): boolean {
  return point === undefined || points.has(point);
}

/** What changes without a point: the value before it holds until the point after it. */
function stepArea(line: readonly ChartPoint[], index: number): number {
  const [before, point, after] = line.slice(index - 1, index + 2);
  if (!before || !point || !after) return Number.POSITIVE_INFINITY;
  return Math.abs(point[1] - before[1]) * (after[0] - point[0]);
}

function indexOfSmallest(areas: readonly number[]): number {
  let smallest = 0;
  for (let index = 1; index < areas.length; index += 1) {
    if ((areas[index] ?? Number.POSITIVE_INFINITY) < (areas[smallest] ?? Number.POSITIVE_INFINITY))
      smallest = index;
  }
  return smallest;
}
