// Which rows a chart of several numbers keeps.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChartRow, leastRows, thinRows } from '#shared/charts/thin-rows.ts';

const minuteMs = 60_000;
const row = (minutes: number, ...values: (number | null)[]): ChartRow => ({
  at: minutes * minuteMs,
  values,
});
const minutesOf = (rows: readonly ChartRow[]) => rows.map(({ at }) => at / minuteMs);

describe('the rows of a chart', () => {
  it('are all rows in which a number moves, if they are few', () => {
    const rows = [row(0, 5, 1), row(1, 5, 1), row(2, 5, 1), row(3, 5, 2), row(4, 5, 2)];
    expect(minutesOf(thinRows(rows, 10))).toEqual([0, 2, 3, 4]);
  });

  it('have the extremes of each number in each span of the clock', () => {
    const moved = (minutes: number) => (minutes === 37 ? 90 : minutes === 52 ? 10 : 50);
    const rows = Array.from({ length: 120 }, (_, n) => row(n, moved(n), n % 2, null));
    const kept = minutesOf(thinRows(rows, 12));
    expect(kept).toEqual(expect.arrayContaining([0, 37, 52, 119]));
    expect(kept.length).toBeLessThanOrEqual(12);
  });

  it('show where a number has no value', () => {
    const rows = Array.from({ length: 50 }, (_, n) => row(n, n % 3, n === 20 ? null : 7));
    expect(minutesOf(thinRows(rows, 10))).toContain(20);
  });

  const series = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 300 }))
    .chain(([numbers, length]) =>
      fc.array(
        fc.tuple(
          fc.integer({ min: 1, max: 5_000 }),
          fc.array(fc.option(fc.integer({ min: 0, max: 30 }), { nil: null }), {
            minLength: numbers,
            maxLength: numbers,
          }),
        ),
        { minLength: 1, maxLength: length },
      ),
    )
    .map((steps) => {
      let at = 0;
      return steps.map(([gap, values]) => {
        at += gap;
        return row(at, ...values);
      });
    });

  it('are at most as many as asked for, given ones in their order, with every extreme and both ends', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 0, max: 40 }), (rows, more) => {
        const numbers = rows[0]?.values.length ?? 0;
        const most = leastRows(numbers) + more;
        const kept = thinRows(rows, most);
        expect(kept.length).toBeLessThanOrEqual(most);
        const given = new Set(rows);
        expect(kept.every((each) => given.has(each))).toBe(true);
        expect(minutesOf(kept)).toEqual(minutesOf(kept).toSorted((a, b) => a - b));
        expect([kept[0], kept.at(-1)]).toEqual([rows[0], rows.at(-1)]);
        for (let number = 0; number < numbers; number += 1) {
          expect(extremesOf(kept, number)).toEqual(extremesOf(rows, number));
        }
      }),
    );
  });

  it('stay the same when another row comes, but for those of the newest span', () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => row(n, (n * 7_919) % 997, (n * 31) % 89));
    const before = minutesOf(thinRows(rows.slice(0, -1), 600));
    const after = minutesOf(thinRows(rows, 600));
    const newest = (minutes: number) => minutes < 1_980;
    expect(after.filter(newest)).toEqual(before.filter(newest));
  });
});

function extremesOf(rows: readonly ChartRow[], number: number) {
  const values = rows.map(({ values }) => values[number] ?? null);
  const known = values.filter((value) => value !== null);
  return [Math.min(...known), Math.max(...known), values.includes(null)];
}
