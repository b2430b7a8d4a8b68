// Moments and spans in words.
import { describe, expect, it } from 'vitest';
import { percentText, shareText, sinceText, spanText } from '#shared/delivery/message/figures.ts';

const at = (iso: string) => Date.parse(iso);
const dayMs = 86_400_000;

describe('since when', () => {
  it.each<[string, string, string, string, string]>([
    [
      'a moment of the same day by its time',
      '2026-11-28T10:00:00Z',
      '2026-11-28T12:00:00Z',
      'UTC',
      'since 10:00 AM UTC',
    ],
    [
      'a moment before midnight with its day',
      '2026-11-27T23:50:00Z',
      '2026-11-28T00:10:00Z',
      'UTC',
      'since Nov 27, 11:50 PM UTC',
    ],
    [
      'two days of one zone that are one day of another',
      '2026-11-28T06:00:00Z',
      '2026-11-28T20:00:00Z',
      'America/Los_Angeles',
      'since Nov 27, 10:00 PM PST',
    ],
    [
      'one day of a zone that is two of UTC',
      '2026-11-27T16:00:00Z',
      '2026-11-28T10:00:00Z',
      'Asia/Seoul',
      'since 1:00 AM GMT+9',
    ],
    [
      'a moment of another year with the year',
      '2025-12-30T10:00:00Z',
      '2026-01-02T09:00:00Z',
      'UTC',
      'since Dec 30, 2025, 10:00 AM UTC',
    ],
    [
      'a moment before the clocks went back in the zone of that moment',
      '2026-11-01T05:30:00Z',
      '2026-11-01T15:30:00Z',
      'America/New_York',
      'since 1:30 AM EDT',
    ],
  ])('tells %s', (_what, earlier, from, timeZone, words) => {
    expect(sinceText(at(earlier), at(from), timeZone)).toBe(words);
  });
});

it.each<[number, string]>([
  [0, '0 min'],
  [40 * 60_000, '40 min'],
  [5 * 3_600_000, '5 hours'],
  [5 * 3_600_000 + 20 * 60_000, '5 hours 20 min'],
  [3.5 * dayMs, '3 days 12 hours'],
  [4 * dayMs, '4 days'],
])('a span of %i ms is told exactly, as %s', (ms, words) => {
  expect(spanText(ms)).toBe(words);
});

it.each<[number, string]>([
  [3_500, '35%'],
  [1_850, '18.5%'],
  [1_234, '12.34%'],
])('%i basis points are told exactly, as %s', (bps, words) => {
  expect(percentText(bps)).toBe(words);
});

it.each<[number, string]>([
  [0, '0%'],
  [10 / 25_000, 'under 0.1%'],
  [0.0005, '0.1%'],
  [0.045, '4.5%'],
  [0.994, '99%'],
  [8_999 / 9_000, 'over 99%'],
  [1, '100%'],
  [9, '900%'],
])('a change by %d is told as %s, never rounded to nothing or everything', (share, words) => {
  expect(shareText(share)).toBe(words);
});
