// Tests the oracle's own computation of quiet hours and digests, with literal times in India (five and a half hours
// ahead of UTC).
import { describe, expect, it } from 'vitest';
import { hearableAt, hearingDocument } from './hearing.ts';

const at = (time: string) => Date.parse(`2026-03-01T${time}Z`);
const night = { from: 22 * 60, to: 7 * 60 };

describe('the first time to tell of something', () => {
  it.each([
    ['outside of quiet hours', { quiet: night }, '12:00:30', '2026-03-01T12:00:30.000Z'],
    ['as they begin', { quiet: night }, '16:30:00', '2026-03-02T01:30:00.000Z'],
    ['after local midnight', { quiet: night }, '20:00:00', '2026-03-02T01:30:00.000Z'],
    ['as they end', { quiet: night }, '01:30:00', '2026-03-01T01:30:00.000Z'],
    [
      'for an hourly digest',
      { digest: { mode: 'hourly' } },
      '12:10:00',
      '2026-03-01T12:30:00.000Z',
    ],
    [
      'for a daily digest that is still to come',
      { digest: { mode: 'daily', at: 18 * 60 } },
      '12:10:00',
      '2026-03-01T12:30:00.000Z',
    ],
    [
      'for a daily digest that has been',
      { digest: { mode: 'daily', at: 17 * 60 } },
      '12:10:00',
      '2026-03-02T11:30:00.000Z',
    ],
    [
      'for a digest in quiet hours',
      { quiet: night, digest: { mode: 'hourly' } },
      '16:10:00',
      '2026-03-02T01:30:00.000Z',
    ],
  ] as const)('is right %s', (_when, hearing, time, told) => {
    expect(new Date(hearableAt(at(time), hearing)).toISOString()).toBe(told);
  });

  it('is asked for in the words of the API', () => {
    const hearing = { quiet: night, digest: { mode: 'daily', at: 8 * 60 + 5 } } as const;

    expect(hearingDocument(hearing)).toEqual({
      time_zone: 'Asia/Kolkata',
      quiet_hours: { from: '22:00', to: '07:00' },
      digest: { mode: 'daily', daily_at: '08:05' },
    });
  });
});
