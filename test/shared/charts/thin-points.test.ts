// Which points a chart keeps.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChartPoint, extremesOf } from '#shared/charts/chart.ts';
import { thinPoints } from '#shared/charts/thin-points.ts';

function evenly(values: readonly number[]): ChartPoint[] {
  return values.map((value, index) => [index * 60_000, value]);
}

describe('the points of a chart', () => {
  it('leave out a value that repeats the one before, but not the last', () => {
    const points = evenly([90, 90, 90, 80, 80, 90, 90]);
    expect(thinPoints(points)).toEqual([
      [0, 90],
      [180_000, 80],
      [240_000, 80],
      [300_000, 90],
      [360_000, 90],
    ]);
  });

  it('leave out the smallest steps, by height and time', () => {
    const points: ChartPoint[] = [
      [0, 100],
      // A low step for long, and a high step for a moment.
      [10, 101],
      [20_000, 150],
      [20_010, 101],
      [40_000, 60],
      [50_000, 80],
    ];
    expect(thinPoints(points, 5)).toEqual([
      [0, 100],
      [20_000, 150],
      [20_010, 101],
      [40_000, 60],
      [50_000, 80],
    ]);
  });

  it('are at most as many as asked for, all of them given ones in their order, with the same extremes', () => {
    const series = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2, maxLength: 400 });
    fc.assert(
      fc.property(series, fc.integer({ min: 4, max: 96 }), (values, most) => {
        const points = evenly(values);
        const kept = thinPoints(points, most);
        expect(kept.length).toBeLessThanOrEqual(most);
        const given = new Set(points);
        expect(kept.every((point) => given.has(point))).toBe(true);
        expect(kept.map(([at]) => at)).toEqual(kept.map(([at]) => at).sort((a, b) => a - b));
        expect(extremesOf(kept)).toEqual(extremesOf(points));
      }),
    );
  });

  it('are at most 96 by default', () => {
    expect(
      thinPoints(evenly(Array.from({ length: 2_000 }, (_, i) => (i * 7919) % 997))),
    ).toHaveLength(96);
  });

  it('are those that are there, for fewer than two', () => {
    expect(thinPoints([[0, 90]])).toEqual([[0, 90]]);
    expect(thinPoints([])).toEqual([]);
  });
});
