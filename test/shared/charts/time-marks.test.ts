// The times below a chart.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeMarks } from '#shared/charts/time-marks.ts';

const at = (iso: string) => Date.parse(iso);
const newYork = -300;

function textsOf(from: string, to: string, offset = newYork): string[] {
  return timeMarks(at(from), at(to), offset).map(({ text }) => text);
}

describe('the times below a chart', () => {
  it.each<[string, string, string, number, string[]]>([
    [
      'a week',
      '2026-11-22T19:02:00Z',
      '2026-11-29T19:02:00Z',
      newYork,
      ['Nov 23', 'Nov 25', 'Nov 27', 'Nov 29'],
    ],
    [
      'a day',
      '2026-11-28T19:02:00Z',
      '2026-11-29T19:02:00Z',
      newYork,
      ['6 PM', 'Nov 29', '6 AM', '12 PM'],
    ],
    [
      'an hour',
      '2026-11-29T18:02:00Z',
      '2026-11-29T19:02:00Z',
      newYork,
      ['1:15 PM', '1:30 PM', '1:45 PM', '2 PM'],
    ],
    ['minutes', '2026-11-29T19:02:00Z', '2026-11-29T19:12:00Z', newYork, ['2:05 PM', '2:10 PM']],
    ['a moment', '2026-11-29T19:02:00Z', '2026-11-29T19:03:00Z', newYork, []],
    [
      'a month',
      '2026-11-01T00:00:00Z',
      '2026-11-29T00:00:00Z',
      0,
      ['Nov 8', 'Nov 15', 'Nov 22', 'Nov 29'],
    ],
    [
      'a day of a clock of half hours',
      '2026-11-28T19:02:00Z',
      '2026-11-29T19:02:00Z',
      330,
      ['6 AM', '12 PM', '6 PM', 'Nov 30'],
    ],
  ])('are round for %s', (_name, from, to, offset, texts) => {
    expect(textsOf(from, to, offset)).toEqual(texts);
  });

  it('are at midnight of the local day', () => {
    const [first] = timeMarks(at('2026-11-22T19:02:00Z'), at('2026-11-29T19:02:00Z'), newYork);
    expect(first).toEqual({ at: at('2026-11-23T05:00:00Z'), text: 'Nov 23' });
  });

  it('are at most four, in order, within the chart', () => {
    const span = fc.integer({ min: 1, max: 400 * 24 * 3_600_000 });
    fc.assert(
      fc.property(span, fc.integer({ min: -720, max: 840 }), (spanMs, offset) => {
        const from = at('2026-01-01T00:00:00Z');
        const times = timeMarks(from, from + spanMs, offset).map((mark) => mark.at);
        expect(times.length).toBeLessThanOrEqual(4);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(times.every((time) => time >= from && time <= from + spanMs)).toBe(true);
      }),
    );
  });
});
