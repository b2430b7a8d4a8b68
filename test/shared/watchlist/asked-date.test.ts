// Dates in a search, as people write them.
import { describe, expect, it } from 'vitest';
import { dateInWord, datePrefix, fitsDate, takeDates } from '#shared/watchlist/asked-date.ts';

describe('the dates in a text', () => {
  it.each([
    ['knicks dec 2', [{ month: 12, day: 2 }], 'knicks'],
    ['2nd of december knicks', [{ month: 12, day: 2 }], 'knicks'],
    ['sept. 21st, 2026', [{ year: 2026, month: 9, day: 21 }], ''],
    ['2026-12-02', [{ year: 2026, month: 12, day: 2 }], ''],
    ['2026/1/5 nets', [{ year: 2026, month: 1, day: 5 }], 'nets'],
    ['nets 2026-12', [{ year: 2026, month: 12 }], 'nets'],
    ['may 2026', [{ year: 2026, month: 5 }], ''],
    ['12/2/2026', [{ year: 2026, month: 12, day: 2 }], ''],
    [
      'dec 2 or dec 3',
      [
        { month: 12, day: 2 },
        { month: 12, day: 3 },
      ],
      'or',
    ],
    ['blink 182', [], 'blink 182'],
    ['dec 45', [], 'dec 45'],
    ['13/40', [], '13/40'],
    ['marc 5', [], 'marc 5'],
    ['u2 2026-13', [], 'u2 2026-13'],
  ])('%s', (text, dates, rest) => {
    const taken = takeDates(text);
    expect([taken.dates, taken.rest.trim().replaceAll(/\s+/g, ' ')]).toEqual([dates, rest]);
  });
});

it.each([
  ['december', { month: 12 }],
  ['sept', { month: 9 }],
  ['2027', { year: 2027 }],
  ['decem', undefined],
  ['1999', undefined],
])('the word %s may be a part of a date', (word, date) => {
  expect(dateInWord(word)).toEqual(date);
});

it.each([
  [{ month: 12, day: 2 }, '2026-12-02'],
  [{ month: 3, day: 1 }, '2026-03-01'],
  [{ month: 2, day: 28 }, '2027-02-28'],
  [{ year: 2027, month: 1 }, '2027-01'],
  [{ year: 2027 }, '2027'],
  [{ month: 12 }, undefined],
])('%j on 2026-03-01 is asked for as %s', (asked, prefix) => {
  expect(datePrefix(asked, '2026-03-01')).toBe(prefix);
});

it('a date fits if every part that is asked for is the same', () => {
  expect(fitsDate('2026-12-02', { month: 12, day: 2 })).toBe(true);
  expect(fitsDate('2026-12-02', { year: 2027, month: 12 })).toBe(false);
  expect(fitsDate('to be announced', { month: 12 })).toBe(false);
});
