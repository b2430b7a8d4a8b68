// A chart as one line of text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChartPoint } from '#shared/charts/chart.ts';
import { sparkline, sparklineOf } from '#shared/charts/sparkline.ts';

describe('a sparkline of values', () => {
  it.each<[string, number[], string]>([
    ['a fall', [164, 160, 150, 140, 125, 118], '▇▇▅▃▂▁'],
    ['a rise', [1, 2, 3, 4, 5, 6], '▁▂▃▅▆▇'],
    ['a spike', [100, 100, 200, 100], '▁▁▇▁'],
    ['one value all the time', [80, 80, 80], '▃▃▃'],
    ['two values', [90, 74], '▇▁'],
    ['counts down to none', [2, 1, 0], '▇▅▁'],
    ['one value', [80], ''],
    ['no value', [], ''],
  ])('draws %s', (_name, values, expected) => {
    expect(sparkline(values)).toBe(expected);
  });

  it('draws many values together, and keeps a lone low', () => {
    const values = Array.from({ length: 500 }, (_, index) =>
      index === 123 ? 50 : 100 + (index % 2),
    );
    const line = sparkline(values, 10);
    expect(line).toHaveLength(10);
    expect(line).toBe('▇▇▁▇▇▇▇▇▇▇');
  });

  it('has at most as many bars as asked for, the ends as they are, and the lowest value', () => {
    const values = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 2, maxLength: 300 });
    fc.assert(
      fc.property(values, fc.integer({ min: 3, max: 60 }), (all, most) => {
        const line = sparkline(all, most);
        expect(line).toMatch(/^[▁▂▃▅▆▇]+$/);
        expect(line).toHaveLength(Math.min(all.length, most));
        const isFlat = new Set(all).size === 1;
        expect(line.includes('▁')).toBe(!isFlat);
        const lowest = Math.min(...all);
        if (all[0] === lowest && !isFlat) expect(line[0]).toBe('▁');
        if (all.at(-1) === lowest && !isFlat) expect(line.at(-1)).toBe('▁');
      }),
    );
  });
});

describe('a sparkline of points in time', () => {
  const hour = 3_600_000;

  it('gives each bar the same time, however the points lie in it', () => {
    // High for nine hours, then nine values within the last hour.
    const points: ChartPoint[] = [[0, 200], ...minutesOf(9 * hour, 9, 100)];
    expect(sparklineOf(points, 12)).toBe('▇▇▇▇▇▇▇▇▇▇▁▁');
  });

  it('has no bar for fewer than two points', () => {
    expect(sparklineOf([[0, 200]])).toBe('');
  });

  function minutesOf(from: number, count: number, value: number): ChartPoint[] {
    return Array.from({ length: count }, (_, minute) => [from + minute * 60_000, value]);
  }
});
