import { describe, expect, it } from 'vitest';
import { billingPeriodAt } from '#marketplace/billing/period.ts';

const at = Date.parse;

describe('billingPeriodAt', () => {
  it.each([
    [
      'the first instant',
      '2026-11-27T12:00Z',
      '2026-11-27T12:00Z',
      '2026-11-27T12:00Z',
      '2026-12-27T12:00Z',
    ],
    [
      'just before renewal',
      '2026-11-27T12:00Z',
      '2026-12-27T11:59Z',
      '2026-11-27T12:00Z',
      '2026-12-27T12:00Z',
    ],
    [
      'over the turn of the year',
      '2026-11-27T12:00Z',
      '2027-01-05T00:00Z',
      '2026-12-27T12:00Z',
      '2027-01-27T12:00Z',
    ],
    [
      'the 31st in February',
      '2026-01-31T00:00Z',
      '2026-02-28T00:00Z',
      '2026-02-28T00:00Z',
      '2026-03-31T00:00Z',
    ],
    [
      'the 31st before the end of February',
      '2026-01-31T00:00Z',
      '2026-02-27T23:00Z',
      '2026-01-31T00:00Z',
      '2026-02-28T00:00Z',
    ],
    [
      'a leap day',
      '2024-02-29T00:00Z',
      '2025-03-01T00:00Z',
      '2025-02-28T00:00Z',
      '2025-03-29T00:00Z',
    ],
  ])('%s', (_, anchor, now, start, end) => {
    expect(billingPeriodAt(at(anchor), at(now))).toEqual({ start: at(start), end: at(end) });
  });
});
