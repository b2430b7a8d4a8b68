/** Windows are exact to the snapshot, whether read from single values or from stored hours. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hourOf,
  LoadedHistory,
  mergeSummaries,
  type Point,
  summaryOf,
} from '#shared/rules/history.ts';
import { HOUR_MS } from '#shared/rules/window.ts';
import { MINUTE, START } from '#test/support/rules/market.ts';

const points: fc.Arbitrary<Point[]> = fc
  .uniqueArray(
    fc.record({ at: fc.nat({ max: 60 * 50 }), value: fc.integer({ min: 1, max: 99 }) }),
    {
      selector: ({ at }) => at,
      size: 'max',
      maxLength: 60,
    },
  )
  .map((found) =>
    found.map(({ at, value }) => ({ at: START + at * MINUTE, value })).sort((a, b) => a.at - b.at),
  );

function scan(all: Point[], after: number, through: number) {
  const within = all.filter(({ at }) => at > after && at <= through);
  const values = within.map(({ value }) => value);
  if (within.length === 0) return null;
  return {
    first: within[0],
    last: within.at(-1),
    low: Math.min(...values),
    high: Math.max(...values),
  };
}

describe('a history', () => {
  it('summarizes (after, through] as a scan over all values does', () => {
    fc.assert(
      fc.property(points, fc.nat({ max: 3_000 }), fc.nat({ max: 3_000 }), (all, from, length) => {
        const history = new LoadedHistory();
        for (const point of all) history.add('stats/get_in', point, false);
        const after = START + from * MINUTE;
        const through = after + length * MINUTE;
        expect(history.summary('stats/get_in', after, through)).toEqual(scan(all, after, through));
      }),
    );
  });

  it('needs no more than whole hours and the single values at both edges', () => {
    fc.assert(
      fc.property(
        points,
        fc.nat({ max: 3_000 }),
        fc.integer({ min: 60, max: 3_000 }),
        (all, from, length) => {
          const after = START + from * MINUTE;
          const through = after + length * MINUTE;
          const history = new LoadedHistory();
          for (const point of all) {
            const startsAt = hourOf(point.at);
            const isWhole = startsAt > after && startsAt + HOUR_MS - 1 <= through;
            if (isWhole) history.addHour('stats/get_in', startsAt, summaryOf(point));
            else history.add('stats/get_in', point, false);
          }
          expect(history.summary('stats/get_in', after, through)).toEqual(
            scan(all, after, through),
          );
        },
      ),
    );
  });

  it('takes an hour twice for once', () => {
    const hour = mergeSummaries(
      summaryOf({ at: START, value: 5 }),
      summaryOf({ at: START + 1, value: 3 }),
    );
    expect(mergeSummaries(hour, hour)).toEqual(hour);
    expect(hour).toEqual({
      first: { at: START, value: 5 },
      last: { at: START + 1, value: 3 },
      low: 3,
      high: 5,
    });
  });

  it('counts a record into spans that never end, and into no other', () => {
    const history = new LoadedHistory();
    history.addRecord('stats/get_in', summaryOf({ at: START - 400 * 24 * HOUR_MS, value: 7 }));
    history.add('stats/get_in', { at: START, value: 9 }, false);
    expect(history.summary('stats/get_in', Number.NEGATIVE_INFINITY, START)?.low).toBe(7);
    expect(history.summary('stats/get_in', START - 30 * 24 * HOUR_MS, START)?.low).toBe(9);
  });

  it('answers with the newest value before a time from stored hours too', () => {
    const history = new LoadedHistory();
    history.addHour('stats/get_in', START, summaryOf({ at: START + MINUTE, value: 7 }));
    expect(history.before('stats/get_in', START + HOUR_MS)).toEqual({
      at: START + MINUTE,
      value: 7,
    });
    expect(history.before('stats/get_in', START + MINUTE)).toBeNull();
  });

  it('has the median of a moving window, also after late values', () => {
    const moves = fc.array(
      fc.record({ at: fc.nat({ max: 200 }), value: fc.integer({ min: 1, max: 9 }) }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 80 }), (added, span) => {
        const history = new LoadedHistory();
        const known = new Map<number, number>();
        let through = 0;
        for (const { at, value } of added) {
          history.add('stats/get_in', { at: START + at, value }, false);
          if (!known.has(at)) known.set(at, value);
          through = Math.max(through, at);
          const inWindow = [...known].filter(([time]) => time > through - span && time <= through);
          const sorted = inWindow.map(([, each]) => each).sort((a, b) => a - b);
          const upper = sorted[sorted.length >> 1] ?? 0;
          const lower = sorted[(sorted.length - 1) >> 1] ?? 0;
          expect(history.median('stats/get_in', START + through - span, START + through)).toBe(
            Math.floor((lower + upper + 1) / 2),
          );
        }
      }),
    );
  });

  describe('of prices', () => {
    function believed(values: number[]): number[] {
      const history = new LoadedHistory();
      for (const [i, value] of values.entries()) {
        history.add('stats/get_in', { at: START + i, value }, true);
      }
      const points = history.points('stats/get_in', START - 1, START + values.length);
      return points.map(({ value }) => value);
    }

    it.each([
      {
        values: [100, 9, 100],
        known: [100, 100],
        why: 'a jump that the next does not bear out is dropped',
      },
      { values: [100, 9, 8], known: [100, 9, 8], why: 'a jump that the next bears out counts' },
      {
        values: [100, 10, 100],
        known: [100, 10, 100],
        why: 'ten times over is not more than ten times',
      },
      { values: [100, 9], known: [100], why: 'a jump waits for the next' },
      { values: [100, 9, 2000, 100], known: [100, 100], why: 'two jumps apart bear nothing out' },
      { values: [9, 100], known: [9], why: 'the first value of all is believed' },
    ])('$why', ({ values, known }) => {
      expect(believed(values)).toEqual(known);
    });
  });
});
