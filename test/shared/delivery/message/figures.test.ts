// Spans of time in words: by their length while they are short, by their day on the reader's calendar.
import { describe, expect, it } from 'vitest';
import { sinceText } from '#shared/delivery/message/figures.ts';

const at = (iso: string) => Date.parse(iso);

describe('since when', () => {
  it.each<[string, string, string, string, string]>([
    ['seconds', '2026-11-28T12:00:00Z', '2026-11-28T12:00:45Z', 'UTC', 'in the last minute'],
    ['minutes', '2026-11-28T12:00:00Z', '2026-11-28T12:12:00Z', 'UTC', 'in the last 12 min'],
    ['hours', '2026-11-28T10:00:00Z', '2026-11-28T12:00:00Z', 'UTC', 'in the last 2 hours'],
    [
      'minutes over midnight, which are no "yesterday"',
      '2026-11-27T23:50:00Z',
      '2026-11-28T00:10:00Z',
      'UTC',
      'in the last 20 min',
    ],
    ['a long day', '2026-11-28T01:00:00Z', '2026-11-28T20:00:00Z', 'UTC', 'in the last 19 hours'],
    ['the day before', '2026-11-27T10:00:00Z', '2026-11-28T09:00:00Z', 'UTC', 'since yesterday'],
    [
      'two days of one zone that are one day of another',
      '2026-11-28T06:00:00Z',
      '2026-11-28T20:00:00Z',
      'America/Los_Angeles',
      'since yesterday',
    ],
    [
      'one day of a zone that is two of UTC',
      '2026-11-27T16:00:00Z',
      '2026-11-28T10:00:00Z',
      'Asia/Seoul',
      'in the last 18 hours',
    ],
    ['an earlier day', '2026-11-12T10:00:00Z', '2026-11-28T09:00:00Z', 'UTC', 'since Nov 12'],
    ['another year', '2025-12-30T10:00:00Z', '2026-01-02T09:00:00Z', 'UTC', 'since Dec 30, 2025'],
    ['New Year', '2025-12-31T10:00:00Z', '2026-01-01T09:00:00Z', 'UTC', 'since yesterday'],
    [
      'the day before, when the clocks go forward and a day has 23 hours',
      '2026-03-07T17:00:00Z',
      '2026-03-08T15:00:00Z',
      'America/New_York',
      'since yesterday',
    ],
    [
      'the day before, when the clocks go back: 24 hours and a half ago, and yet no earlier day',
      '2026-10-31T15:00:00Z',
      '2026-11-01T15:30:00Z',
      'America/New_York',
      'since yesterday',
    ],
    [
      'two days before, though less than 48 hours ago, on the day after the clocks went forward',
      '2026-03-08T03:30:00Z',
      '2026-03-09T16:00:00Z',
      'America/New_York',
      'since Mar 7',
    ],
  ])('tells %s', (_what, earlier, now, timeZone, words) => {
    expect(sinceText(at(earlier), at(now), timeZone)).toBe(words);
  });
});
